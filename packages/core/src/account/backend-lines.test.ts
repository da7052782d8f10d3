import { describe, expect, it } from 'vitest';
import type { HandledBy } from '../ports/gemini-runner/run-event.ts';
import { backendLines } from './format-account.ts';

describe('backendLines', () => {
  it.each<[HandledBy | undefined, readonly string[]]>([
    [undefined, []],
    [{ runner: 'api', by: 'Gemini API', login: 'API key', reason: 'preferred' }, ['Via: Gemini API (API key)']],
    [{ runner: 'warm', by: 'Gemini CLI', reason: 'needs-login' }, ['Via: Gemini CLI']],
    [
      { runner: 'warm', by: 'Gemini CLI', reason: 'needs-tools' },
      ['Via: Gemini CLI, because the call gives Gemini tools'],
    ],
    [{ runner: 'own', by: 'A\nway', login: '\u001b[2J', reason: 'asked-for' }, ['Via: A\\u{a}way (\\u{1b}[2J)']],
  ])('%j', (handledBy, lines) => {
    expect(backendLines(handledBy)).toEqual(lines);
  });
});
