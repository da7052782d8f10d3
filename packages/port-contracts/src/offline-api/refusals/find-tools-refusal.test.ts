import { expect, it } from 'vitest';
import { findFunctionRefusal } from './find-function-refusal.ts';
import { findToolsRefusal } from './find-tools-refusal.ts';

const text = { type: 'string' };
const declare = (...functions: readonly object[]) => [{ functionDeclarations: functions }];
const withParameters = (parametersJsonSchema: unknown) => ({ name: 'a', description: '', parametersJsonSchema });
const withArgument = (a: unknown) => withParameters({ type: 'object', properties: { a } });

it.each<[string, unknown, string | null]>([
  ['no tools', undefined, null],
  ['another tool', [{ googleSearch: {} }], null],
  ['functions', declare({ name: 'a' }, { name: 'b:c.d-e_F' }), null],
  [
    'an argument in its own words',
    declare(withArgument({ type: ['string', 'null'], pattern: '^a', $comment: 'x' })),
    null,
  ],
  [
    'a name with a space',
    declare({ name: 'a' }, { name: 'a b' }),
    '* GenerateContentRequest.tools[0].function_declarations[1].name: [FIELD_INVALID] Invalid function name.',
  ],
  [
    'a name of 65 characters',
    declare({ name: 'a'.repeat(65) }),
    '* GenerateContentRequest.tools[0].function_declarations[0].name: [FIELD_INVALID] Invalid function name.',
  ],
  ['two functions of one name', declare({ name: 'a' }, { name: 'a' }), 'Duplicate function declaration found: a'],
  [
    'a required argument that is missing',
    declare(withParameters({ type: 'object', required: ['x'] })),
    '* GenerateContentRequest.tools[0].function_declarations[0].parameters.required[0]: property is not defined',
  ],
  [
    'the same inside',
    declare(withArgument({ type: 'array', items: { required: ['x'] } })),
    '* GenerateContentRequest.tools[0].function_declarations[0].parameters.properties[a].items.required[0]: property is not defined',
  ],
  [
    'an unknown type',
    declare(withArgument({ anyOf: [{ type: 'int' }] })),
    '* GenerateContentRequest.tools[0].function_declarations[0].parameters.properties[a].any_of[0].type: invalid value "int"',
  ],
])('the API returns its error for %s', (_, tools, problem) => {
  const found = findToolsRefusal(tools);
  expect(problem === null ? found : found?.slice(0, problem.length)).toBe(problem);
});

it.each<[string, object, RegExp | null]>([
  ['a usual function', withArgument(text), null],
  ['no arguments', { name: 'a', description: '' }, null],
  [
    'arguments that refer to themselves',
    withParameters({
      type: 'object',
      properties: { a: { $ref: '#/$defs/x' } },
      $defs: { x: { type: 'object', properties: { a: { $ref: '#/$defs/x' } } } },
    }),
    null,
  ],
  ['a missing description', { name: 'a' }, /description/],
  ['arguments that are not an object', withParameters(text), /should be of type OBJECT/],
  ['a choice at the root', withParameters({ type: 'object', anyOf: [text] }), /should be of type OBJECT/],
  ['a keyword that is not listed', withArgument({ ...text, pattern: 'a' }), /Unknown name "pattern"/],
  ['no type', withArgument({}), /type/],
  ['an unknown type', withArgument({ type: 'int' }), /"int"/],
  ['two types', withArgument({ type: ['string', 'number'] }), /type/],
  ['a list without members', withArgument({ type: 'array' }), /items: missing field/],
  ['a list by place', withArgument({ type: 'array', items: text, prefixItems: [text] }), /Unknown field/],
  ['a number to choose', withArgument({ type: 'integer', enum: [1] }), /only allowed for STRING/],
  ['an empty text to choose', withArgument({ type: 'string', enum: [''] }), /cannot be empty/],
  ['a description next to a choice', withArgument({ anyOf: [text], description: 'a' }), /only field set/],
  [
    'a reference with something next to it',
    withParameters({ type: 'object', properties: { a: { $ref: '#/$defs/x', description: 'a' } }, $defs: { x: text } }),
    /has to be alone/,
  ],
  ['a reference to nothing', withArgument({ $ref: '#/$defs/x' }), /leads nowhere/],
  [
    'what needs itself',
    withParameters({
      type: 'object',
      properties: { a: { $ref: '#/$defs/x' } },
      $defs: { x: { type: 'object', properties: { a: { $ref: '#/$defs/x' } }, required: ['a'] } },
    }),
    /cyclic/,
  ],
  ['a format that some versions do not know', withArgument({ type: 'string', format: 'uri' }), /format/],
  [
    'an argument with a space',
    withParameters({ type: 'object', properties: { 'a b': text } }),
    /invalid parameter name/,
  ],
  ['50 levels', withArgument(levels(50)), /nesting depth/],
])('an API refuses %s', (_, declared, problem) => {
  const found = findFunctionRefusal({ ...declared });
  if (problem === null) {
    expect(found).toBeNull();
  } else {
    expect(found).toMatch(problem);
  }
});

function levels(count: number): object {
  return count === 0 ? text : { type: 'array', items: levels(count - 1) };
}
