import { expect, it } from 'vitest';
import { escapeJson } from './escape-json.ts';

it('writes what acts on a terminal, turns text around or cannot be seen as JSON escapes of the same value', () => {
  const value = { 'a\u009b': ['\u202e', '\u200b', '\ufeff', '\u2028', '\u{e0041}', '\ud800', '\u007f'] };
  const json = JSON.stringify(value, null, '\t').replaceAll('\n', '\r\n');
  const escaped = escapeJson(json);
  expect(JSON.parse(escaped)).toEqual(value);
  expect(escaped).toMatch(/^[\x20-\x7e\t\r\n]*$/);
  expect(escaped).toContain('\\u202e');
  expect(escaped).toContain('\\udb40\\udc41');
});

it('leaves all else as it is', () => {
  const json = '{"a" :\t1.0,\r\n"é": "\\u0041 日本 \u{1f600}"}';
  expect(escapeJson(json)).toBe(json);
});
