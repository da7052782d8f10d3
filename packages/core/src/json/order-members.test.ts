import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.ts';
import { orderMembers } from './order-members.ts';

const names = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', '10', '9', '01', '4294967295', 'é', '\ud800', ''),
  fc.string(),
);

const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    fc.jsonValue({ maxDepth: 0 }),
    fc.array(tie('json'), { maxLength: 4 }),
    // As JSON has it: an own member of any name.
    fc.array(fc.tuple(names, tie('json')), { maxLength: 6 }).map((members) => Object.fromEntries(members)),
  ),
}));

it('has the members of any JSON in the order of its canonical form, and loses none', () => {
  fc.assert(
    fc.property(json, (value) => {
      expect(JSON.stringify(orderMembers(value))).toBe(JSON.stringify(JSON.parse(canonicalJson(value))));
    }),
  );
});

it('leaves its input unchanged', () => {
  const given = Object.freeze({ b: Object.freeze({ d: 1, c: [2] }), a: null });
  expect(Object.keys(orderMembers(given) ?? {})).toEqual(['a', 'b']);
  expect(Object.keys(given)).toEqual(['b', 'a']);
});
