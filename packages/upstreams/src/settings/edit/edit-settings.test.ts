import fc from 'fast-check';
import { getNodeValue, type ParseError, parseTree } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { removeSetting, setSetting } from './settings-document.ts';

const entry = { command: 'x', args: ['y'] };

describe('setSetting', () => {
  it.each([
    [
      '{}',
      '{\n  "mcpServers": {\n    "a": {\n      "command": "x",\n      "args": [\n        "y"\n      ]\n    }\n  }\n}',
    ],
    [
      '{ // mine\n}\n',
      '{ // mine\n  "mcpServers": {\n    "a": {\n      "command": "x",\n      "args": [\n        "y"\n      ]\n    }\n  }\n}\n',
    ],
    [
      '{\n\t"mcpServers": {\n\t\t// keep\n\t\t"b": {"command":"y"}, // tail\n\t},\n}',
      '{\n\t"mcpServers": {\n\t\t// keep\n\t\t"b": {"command":"y"}, // tail\n\t\t"a": {\n\t\t\t"command": "x",\n\t\t\t"args": [\n\t\t\t\t"y"\n\t\t\t]\n\t\t},\n\t},\n}',
    ],
    [
      '{\r\n  "mcpServers": {\r\n    "b": {} /* one */ // two\r\n    // three\r\n  }\r\n}',
      '{\r\n  "mcpServers": {\r\n    "b": {}, /* one */ // two\r\n    "a": {\r\n      "command": "x",\r\n      "args": [\r\n        "y"\r\n      ]\r\n    }\r\n    // three\r\n  }\r\n}',
    ],
    ['{"mcpServers":{"b":{}}}', '{"mcpServers":{"b":{}, "a": {"command":"x","args":["y"]}}}'],
    ['\ufeff{"mcpServers":{"b":{},}}', '\ufeff{"mcpServers":{"b":{}, "a": {"command":"x","args":["y"]},}}'],
  ])('adds a server to %j, and leaves the rest as it is', (text, expected) => {
    expect(setSetting(text, ['mcpServers', 'a'], entry)).toBe(expected);
  });

  it('puts a value in the place of another', () => {
    const text = '{\n  "mcpServers": {\n    "a": { "enabled": true } // mine\n  }\n}';
    expect(setSetting(text, ['mcpServers', 'a', 'enabled'], false)).toBe(text.replace('true', 'false'));
    expect(setSetting(text, ['mcpServers', 'a'], {})).toBe(text.replace('{ "enabled": true }', '{}'));
  });

  it.each(['', 'null', '[]', '{"mcpServers": []}', '{"mcpServers": null}', '{"a":1', '{} {}'])(
    'leaves %j alone',
    (text) => {
      expect(setSetting(text, ['mcpServers', 'a'], entry)).toBeNull();
    },
  );
});

describe('removeSetting', () => {
  const three =
    '{\n  "s": {\n    // one\n    "a": {\n      "x": 1\n    }, // of a\n    // two\n    "b": {}, // of b\n    /* three */\n    "c": {} // of c\n  }\n}';

  it.each([
    [
      three,
      'a',
      '{\n  "s": {\n    // one\n    // two\n    "b": {}, // of b\n    /* three */\n    "c": {} // of c\n  }\n}',
    ],
    [
      three,
      'b',
      '{\n  "s": {\n    // one\n    "a": {\n      "x": 1\n    }, // of a\n    // two\n    /* three */\n    "c": {} // of c\n  }\n}',
    ],
    [
      three,
      'c',
      '{\n  "s": {\n    // one\n    "a": {\n      "x": 1\n    }, // of a\n    // two\n    "b": {} // of b\n    /* three */\n  }\n}',
    ],
    ['{"s":{"a":1, "b":2}}', 'a', '{"s":{"b":2}}'],
    ['{"s":{"a":1, "b":2}}', 'b', '{"s":{"a":1 }}'],
    ['{"s":{"a":1,}}', 'a', '{"s":{}}'],
    ['{\r\n"s":{\r\n"a":1, // x\r\n},\r\n}', 'a', '{\r\n"s":{\r\n},\r\n}'],
  ])('takes a member out of %j', (text, name, expected) => {
    expect(removeSetting(text, ['s', name])).toBe(expected);
  });

  it('returns null for a missing member', () => {
    expect(removeSetting('{"s":{}}', ['s', 'a'])).toBeNull();
    expect(removeSetting('{"s":1}', ['s', 'a'])).toBeNull();
    expect(removeSetting('{', ['s', 'a'])).toBeNull();
  });
});

const comment = fc.constantFrom('', ' ', '\n', '\r\n', '\t', ' // note ",}{\n', ' /* n } , */ ', '\n  /* a\n b */\n');
const name = fc.oneof(
  fc.constantFrom('a', 'b', '__proto__', 'constructor', 'toString', 'a.b', '"', '//', ''),
  fc.string({ maxLength: 5 }),
);
const names = fc.uniqueArray(name, { maxLength: 5 });

/** A text of members with blanks and comments wherever they may be. */
const settings = fc
  .tuple(names, fc.array(comment, { minLength: 12, maxLength: 12 }), fc.boolean())
  .map(([all, notes, trailing]) => {
    const at = (place: number) => notes[place % notes.length] ?? '';
    const members = all.map(
      (one, index) =>
        `${at(index)}${JSON.stringify(one)}${at(index + 1)}:${at(index + 2)}{"n":${index}}${at(index + 3)}`,
    );
    const comma = trailing && all.length > 0 ? ',' : '';
    return { all, text: `${at(7)}{${at(8)}"s"${at(9)}:{${members.join(',')}${comma}${at(10)}}${at(11)}}${at(5)}` };
  });

/** The members of `s`, whatever their names. */
function read(text: string | null): readonly (readonly [unknown, unknown])[] {
  const errors: ParseError[] = [];
  const root = parseTree((text ?? '').replace(/^\ufeff/, ''), errors, { allowTrailingComma: true });
  expect(errors).toEqual([]);
  const members = root?.children?.[0]?.children?.[1]?.children ?? [];
  return members.map(({ children: [key, value] = [] }) => [
    key?.value,
    value === undefined ? null : getNodeValue(value),
  ]);
}

const notesOf = (text: string) => text.match(/\/\/ note ",\}\{|\/\* n \} , \*\/|\/\* a\n b \*\//g) ?? [];

describe('whatever the file looks like', () => {
  it('a server is added, all others stay with their order, and no comment is lost', () => {
    fc.assert(
      fc.property(settings, name, ({ all, text }, added) => {
        const edited = setSetting(text, ['s', added], { n: 'new' }) ?? '';
        const expected = read(text).filter(([one]) => one !== added);
        expect(read(edited).filter(([one]) => one !== added)).toEqual(expected);
        expect(new Map(read(edited)).get(added)).toEqual({ n: 'new' });
        if (!all.includes(added)) {
          expect(notesOf(edited)).toEqual(notesOf(text));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('a server is removed, and all others stay', () => {
    fc.assert(
      fc.property(settings, fc.nat(4), ({ all, text }, index) => {
        const removed = all[index];
        fc.pre(removed !== undefined);
        const edited = removeSetting(text, ['s', removed]);
        expect(read(edited)).toEqual(read(text).filter(([one]) => one !== removed));
      }),
      { numRuns: 500 },
    );
  });
});
