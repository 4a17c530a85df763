/**
 * Runs a command and says on descriptor 3 how it ended. From outside an exit code of 137 and a death by SIGKILL look
 * alike; a shell tells them apart: it prints a message of its own when its child died by a signal, and it does that on
 * descriptor 3 here, before `code`. INT and PIPE have no message, and stay plain codes. The parentheses matter: without
 * them some shells print while the command's own descriptors are in place. TERM is for the command; the wrapper stays to
 * tell how it took it.
 */
const WRAPPER = `exec 5>&2 2>&3
trap : TERM
(exec "$@" 2>&5 3>&- 5>&-)
code=$?
echo "code $code" >&2
left=0
if [ "$0" = confined ]; then
  for stat in /proc/[0-9]*/stat; do
    read -r line 2>/dev/null <"$stat" || continue
    case \${line##*) } in [ZX]*) ;; *) left=$((left + 1)) ;; esac
  done
  left=$((left - 2))
fi
echo "left $left" >&2
exit $code`;

/**
 * Before all of that, and before it would be deaf to TERM: a held command is there and has done nothing until a line comes.
 * The app that goes away without one ends it.
 */
const HOLD = `read -r gatehouse_go <&4 || exit 0
`;
/** One that is as short as most needs nothing more of the channel. */
const CLOSE = `exec 4<&-
`;

/** Longer than this and the command is read from descriptor 4: one argument holds at most 128 KiB. */
const LONGEST_ARGUMENT = 100_000;
const READ_COMMAND = 'command=$(cat <&4); exec 4<&-; eval "$command"';

export interface Wrapped {
  readonly argv: readonly [string, ...string[]];
  readonly channels: number;
  /** To be written to the second channel, which is there for that: what lets it begin, and a command that is read from there. */
  readonly script: string | undefined;
}

export interface WrapOptions {
  readonly shell: string;
  /** The process table that the wrapper sees is the command's own, so what is in it was left behind. */
  readonly confined: boolean;
  /** It waits until it may begin. Where it never may it ends without having done anything. */
  readonly held: boolean;
}

export function wrap(command: string, { shell, confined, held }: WrapOptions): Wrapped {
  const isLong = Buffer.byteLength(command) > LONGEST_ARGUMENT;
  const run = isLong ? READ_COMMAND : command;
  const hold = held ? HOLD + (isLong ? '' : CLOSE) : '';
  const script = (held ? 'go\n' : '') + (isLong ? command : '');
  return {
    argv: ['sh', '-c', hold + WRAPPER, confined ? 'confined' : 'open', shell, '-c', run],
    channels: script === '' ? 1 : 2,
    script: script === '' ? undefined : script,
  };
}

export interface Report {
  readonly code: number;
  readonly bySignal: boolean;
  readonly left: number;
}

/** Undefined when the wrapper did not come to say it, because it was ended itself. */
export function readReport(text: string): Report | undefined {
  const found = /(?:^|\n)code (\d+)\n(?:.*\n)*?left (\d+)\n$/.exec(text);
  return found ? { code: Number(found[1]), bySignal: found.index > 0, left: Number(found[2]) } : undefined;
}
