import type { Line } from './tree.ts';

/** What a key does in the list of Sessions (the tree pattern of ARIA). */
export type Step =
  | { readonly do: 'focus'; readonly key: string }
  | { readonly do: 'open'; readonly line: Line }
  | { readonly do: 'toggle'; readonly key: string }
  | undefined;

export function stepOf(pressed: string, lines: readonly Line[], at: number): Step {
  const line = lines[at];
  if (!line) return undefined;
  switch (pressed) {
    case 'ArrowDown':
      return focus(lines[at + 1]);
    case 'ArrowUp':
      return focus(lines[at - 1]);
    case 'Home':
      return focus(lines[0]);
    case 'End':
      return focus(lines.at(-1));
    case 'ArrowRight':
      if (line.expanded === false) return { do: 'toggle', key: line.key };
      return line.expanded ? focus(lines[at + 1]) : undefined;
    case 'ArrowLeft':
      if (line.expanded) return { do: 'toggle', key: line.key };
      return focus(lines.slice(0, at).findLast(({ level }) => level < line.level));
    case 'Enter':
    case ' ':
      return line.kind === 'group' ? { do: 'toggle', key: line.key } : { do: 'open', line };
    default:
      return undefined;
  }
}

function focus(line: Line | undefined): Step {
  return line && { do: 'focus', key: line.key };
}
