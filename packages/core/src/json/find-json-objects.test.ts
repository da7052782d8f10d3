import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findJsonObjects } from './find-json-objects.ts';

describe('findJsonObjects', () => {
  it.each([
    ['an object alone', '{"a":1}', [{ a: 1 }]],
    ['an object in a fence', 'Here:\n```json\n{"a":1}\n```\nDone.', [{ a: 1 }]],
    ['an object after braces in prose', 'The set {x} and {"a":{"b":"}"}} too', [{ a: { b: '}' } }]],
    ['several', '{"a":1} and {"b":"\\"{"}', [{ a: 1 }, { b: '"{' }]],
    ['no array and no string', '[1] "{}"', [{}]],
    ['none that is not closed', '{"a":{"b":1}', [{ b: 1 }]],
    ['none in a string that is not closed', '{"a', []],
    ['none after a backslash at the end', '{"a\\', []],
    ['none in nothing', '', []],
    ['none after fifty braces of prose', `${'{ '.repeat(50)}{"a":1}`, []],
    ['one after a long text that a brace begins', `{${'x'.repeat(6_000_000)}{"a":1}`, [{ a: 1 }]],
    ['none after one that two begin', `{{${'x'.repeat(6_000_000)}{"a":1}`, []],
  ])('finds %s', (_, text, objects) => {
    expect([...findJsonObjects(text)]).toEqual(objects);
  });

  it('finds any object between any words', () => {
    const words = fc.string().map((text) => text.replaceAll('{', ''));
    fc.assert(
      fc.property(words, fc.dictionary(fc.string(), fc.jsonValue()), words, (before, object, after) => {
        const json = JSON.stringify(object);
        expect([...findJsonObjects(before + json + after)].map((found) => JSON.stringify(found))).toEqual([json]);
      }),
    );
  });
});
