import { parseSync, Visitor, type ESTree, type Rolldown } from 'vite';

export interface Reading {
  /** The names of all modules that this file asks for while it runs; a computed one is told as `<computed>`. */
  readonly required: ReadonlySet<string>;
  /** What a strict content policy does not run, as it is written: `eval`, `Function`, `WebAssembly`. */
  readonly forbidden: ReadonlySet<string>;
}

/** Reads the code itself and not what the bundler says of it: that is what will run. Texts that look like code do not count. */
export function read({ fileName, code }: Rolldown.OutputChunk): Reading {
  const { program, errors } = parseSync(fileName, code);
  if (errors.length > 0) throw new Error(`${fileName} cannot be parsed: ${errors[0]?.message}`);
  const required = new Set<string>();
  const forbidden = new Set<string>();
  const called = (callee: ESTree.Node): void => {
    const name = calledName(callee);
    if (name === 'eval' || name === 'Function') forbidden.add(name);
  };
  new Visitor({
    CallExpression({ callee, arguments: [first] }) {
      called(callee);
      if (callee.type === 'Identifier' && callee.name === 'require') required.add(nameIn(first));
    },
    NewExpression: ({ callee }) => called(callee),
    ImportExpression: ({ source }) => void required.add(nameIn(source)),
    ImportDeclaration: ({ source }) => void required.add(source.value),
    Identifier({ name }) {
      if (name === 'WebAssembly') forbidden.add(name);
    },
  }).visit(program);
  return { required, forbidden };
}

/** Also of `(0, eval)(…)` and of `globalThis.eval(…)`. */
function calledName(callee: ESTree.Node): string | undefined {
  switch (callee.type) {
    case 'Identifier':
      return callee.name;
    case 'ParenthesizedExpression':
      return calledName(callee.expression);
    case 'SequenceExpression': {
      const last = callee.expressions.at(-1);
      return last && calledName(last);
    }
    case 'MemberExpression':
      return isGlobal(callee.object) && callee.property.type === 'Identifier' ? callee.property.name : undefined;
    default:
      return undefined;
  }
}

function isGlobal(object: ESTree.Node): boolean {
  return object.type === 'Identifier' && ['globalThis', 'window', 'self'].includes(object.name);
}

function nameIn(argument: ESTree.Node | undefined): string {
  if (argument?.type === 'Literal' && typeof argument.value === 'string') return argument.value;
  if (argument?.type === 'TemplateLiteral' && argument.expressions.length === 0) {
    return argument.quasis[0]?.value.cooked ?? '<computed>';
  }
  return '<computed>';
}
