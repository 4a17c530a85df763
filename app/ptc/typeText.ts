import type { Json, JsonObject } from '../base/json.ts';

/** A JSON Schema as a TypeScript type. What it does not know is `unknown`: wider than the truth, never other than it. */
export function typeText(schema: Json | undefined, indent: string): string {
  if (!isObject(schema)) return 'unknown';
  if ('const' in schema) return JSON.stringify(schema['const']);
  const { enum: values, anyOf = schema['oneOf'] } = schema;
  if (Array.isArray(values)) return union(values.map((value) => JSON.stringify(value)));
  if (Array.isArray(anyOf)) return union(anyOf.map((each) => typeText(each, indent)));
  switch (schema['type']) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema['type'];
    case 'number':
    case 'integer':
      return 'number';
    case 'array':
      return `Array<${typeText(schema['items'], indent)}>`;
    case 'object':
      return objectText(schema, indent);
    default:
      return 'unknown';
  }
}

/** Above what it speaks of, on lines of its own; nothing where there is nothing to say. */
export function commentText(text: string, indent: string): string {
  const lines = text.trim().replaceAll('*/', '*\\/').split('\n');
  if (lines[0] === '') return '';
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

/** A name as a member: quoted where it is no identifier. */
export function keyText(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

function union(parts: readonly string[]): string {
  return parts.length === 0 ? 'never' : [...new Set(parts)].join(' | ');
}

function objectText(schema: JsonObject, indent: string): string {
  const { properties, required, additionalProperties } = schema;
  if (!isObject(properties)) return `{ [name: string]: ${typeText(additionalProperties, indent)} }`;
  const needed = Array.isArray(required) ? required : [];
  const inner = `${indent}  `;
  const members = Object.entries(properties).map(([name, member]) => {
    const note = isObject(member) && typeof member['description'] === 'string' ? member['description'] : '';
    const optional = needed.includes(name) ? '' : '?';
    return `${commentText(note, inner)}${inner}${keyText(name)}${optional}: ${typeText(member, inner)};\n`;
  });
  return members.length === 0 ? '{}' : `{\n${members.join('')}${indent}}`;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
