// Writes src/api/types.ts from schema/openapi.json; with --check it only says whether that is what stands there.
import {readFileSync, writeFileSync} from 'node:fs';

const file = new URL('../src/api/types.ts', import.meta.url);
const {components} = JSON.parse(readFileSync(new URL('../../schema/openapi.json', import.meta.url), 'utf8'));

function typeOf(schema) {
  if (schema.$ref) return schema.$ref.split('/').pop();
  const several = schema.oneOf ?? schema.anyOf;
  if (several) return several.map(typeOf).join(' | ');
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const kinds = [schema.type ?? 'unknown'].flat();
  return kinds.map((kind) => {
    switch (kind) {
      case 'integer':
      case 'number': return 'number';
      case 'array': return `${wrapped(typeOf(schema.items ?? {}))}[]`;
      case 'object': return membersOf(schema);
      default: return kind;
    }
  }).join(' | ');
}

function wrapped(type) {
  return /[ |]/.test(type) ? `(${type})` : type;
}

function membersOf(schema) {
  if (!schema.properties) return 'Record<string, unknown>';
  const required = new Set(schema.required ?? []);
  const members = Object.entries(schema.properties)
    .map(([name, member]) => `  ${name}${required.has(name) ? '' : '?'}: ${typeOf(member).replaceAll('\n', '\n  ')};\n`);
  return `{\n${members.join('')}}`;
}

let text = '// Written by tools/types.mjs from schema/openapi.json.\n\n';
for (const [name, schema] of Object.entries(components.schemas)) {
  const type = typeOf(schema);
  text += type.startsWith('{') ? `export interface ${name} ${type}\n\n` : `export type ${name} = ${type};\n\n`;
}
text = text.trimEnd() + '\n';

if (!process.argv.includes('--check')) {
  writeFileSync(file, text);
} else if (readFileSync(file, 'utf8') !== text) {
  console.error('web/src/api/types.ts is not what schema/openapi.json says; run: node web/tools/types.mjs');
  process.exit(1);
}
