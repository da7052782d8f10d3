import { expect, it } from 'vitest';
import { expectSameText } from './expect-same-text.ts';

it('equal texts pass', () => {
  expect(() => expectSameText('a\r\n', 'a\r\n')).not.toThrow();
});

it('long texts that differ are reported with the place and their lengths', () => {
  const text = 'x'.repeat(1_000_000);
  expect(() => expectSameText(`${text}cut`, `${text}\r\nthe end`)).toThrow(
    'the text differs from character 1000000 on: "xxxxxxxxxxcut" in place of "xxxxxxxxxx\\r\\nthe end"; 1000003 characters came, 1000009 were expected',
  );
});

it('a missing text is reported', () => {
  expect(() => expectSameText(undefined, 'a')).toThrow('no text came where "a" was expected');
});
