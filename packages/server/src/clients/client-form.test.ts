import { execFileSync } from 'node:child_process';
import { shellWord } from '@gemini-mcp/core/internal';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { quotedString } from './client-form.ts';

it('a shell reads quoted words back unchanged', () => {
  const words = ["/it's/$HOME", 'a b', '`id`', '$(id)', '', '"', '\\', '!!', '~', '*', 'x\ny', '-n', '--env=a;b'];
  const script = `printf '%s\\0' ${words.map(shellWord).join(' ')}`;
  expect(execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1)).toEqual(words);
});

it('leaves a word that needs no quotes alone', () => {
  expect(shellWord('--models=a,b')).toBe('--models=a,b');
});

it('a quoted string contains no control character, and no quote that would end it early', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const quoted = quotedString(text);
      expect([...quoted].filter((character) => character < ' ' || character === '\u007f')).toEqual([]);
      expect(quoted).toMatch(/^"(?:[^"\\]|\\.)*"$/su);
    }),
  );
  expect(quotedString('C:\\node.exe')).toBe('"C:\\\\node.exe"');
});
