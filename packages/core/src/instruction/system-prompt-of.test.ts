import { describe, expect, it } from 'vitest';
import { plainRunSettings } from '../ports/gemini-runner.ts';
import { plainInstruction } from './plain-instruction.ts';
import { systemPromptOf } from './system-prompt-of.ts';

const directory = '/project';

describe('systemPromptOf', () => {
  it.each(['none', 'web-search', 'read-only'] as const)(
    'is the plain instruction for "%s" without a directory',
    (tools) => {
      expect(systemPromptOf({ ...plainRunSettings, tools })).toBe(plainInstruction);
    },
  );

  it('is the plain instruction where a directory is named and no tool may read it', () => {
    expect(systemPromptOf({ ...plainRunSettings, directory })).toBe(plainInstruction);
  });

  it.each([
    { tools: 'read-only', directory },
    { tools: 'everything', directory },
    { tools: 'everything', directory: null },
  ] as const)('leaves the runner its own prompt for $tools in $directory', (settings) => {
    expect(systemPromptOf({ ...plainRunSettings, ...settings })).toBeNull();
  });

  it.each(['none', 'web-search', 'read-only', 'everything'] as const)(
    'keeps a prompt of the request for "%s"',
    (tools) => {
      expect(systemPromptOf({ systemPrompt: '', tools, directory })).toBe('');
    },
  );
});

describe('plainInstruction', () => {
  it('is short', () => {
    expect(plainInstruction.split(/\s+/).length).toBeLessThanOrEqual(150);
  });

  it('holds nothing that the Gemini CLI would fill in, trim or join', () => {
    expect(plainInstruction).not.toMatch(/\$\{|\n\n\n|^\s|\s$/);
  });
});
