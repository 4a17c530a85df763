import type { Pattern } from 'acorn';

/** Every name that a pattern binds, in the order of the text. */
export function namesOf(pattern: Pattern): string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name];
    case 'ObjectPattern':
      return pattern.properties.flatMap((part) => namesOf(part.type === 'RestElement' ? part.argument : part.value));
    case 'ArrayPattern':
      return pattern.elements.flatMap((part) => (part ? namesOf(part) : []));
    case 'AssignmentPattern':
      return namesOf(pattern.left);
    case 'RestElement':
      return namesOf(pattern.argument);
    default:
      return [];
  }
}
