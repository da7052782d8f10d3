import { describe, expect, it } from 'vitest';
import { parseApiKey } from './parse-api-key.ts';

const key = 'AIzaSyA-Key_of-39_characters0123456789a';

describe('parseApiKey', () => {
  it.each([
    key,
    `  ${key}\t\n`,
    `${key}\r\n`,
    `"${key}"`,
    `'${key}'\n`,
    `GEMINI_API_KEY=${key}`,
    `export GEMINI_API_KEY="${key}"\n`,
    `$env:GEMINI_API_KEY = "${key}"`,
    `set GOOGLE_API_KEY=${key}\r\n`,
    `\`${key}\``,
  ])('reads %j', (pasted) => {
    expect(parseApiKey(pasted)).toEqual({ ok: true, key });
  });

  it('reads a key with a dot and padding', () => {
    expect(parseApiKey('AQ.Ab8_-x==')).toEqual({ ok: true, key: 'AQ.Ab8_-x==' });
  });

  it.each([
    ['', 'No key was given.'],
    [' \n', 'No key was given.'],
    ['""', 'No key was given.'],
    [`${key} ${key}`, 'An API key has no blanks'],
    [`${key}\n${key}`, 'An API key has no blanks'],
    [`"${key}`, 'An API key has no blanks'],
    ['schlüssel', 'An API key has no blanks'],
    [`${key}\u0000`, 'An API key has no blanks'],
    ['{"type": "service_account"}', 'That is a JSON file'],
    ['$GEMINI_API_KEY', 'That is a placeholder'],
    [`\${user_config.api_key}`, 'That is a placeholder'],
    ['<GEMINI_API_KEY>', 'That is a placeholder'],
    ['a'.repeat(5_000), 'That is longer than any API key.'],
  ])('refuses %j without repeating it', (pasted, problem) => {
    const parsed = parseApiKey(pasted);
    expect(parsed).toEqual({ ok: false, problem: expect.stringContaining(problem) });
    expect(JSON.stringify(parsed)).not.toContain(key);
  });
});
