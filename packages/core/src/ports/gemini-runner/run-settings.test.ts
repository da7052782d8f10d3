import { describe, expect, it } from 'vitest';
import { plainInstruction, plainRunSettings, systemPromptOf } from './run-settings.ts';

describe('systemPromptOf', () => {
  it.each(['none', 'web-search'] as const)('is the plain instruction for "%s"', (tools) => {
    expect(systemPromptOf({ ...plainRunSettings, tools })).toBe(plainInstruction);
  });

  it('leaves the runner its own prompt for "everything"', () => {
    expect(systemPromptOf({ ...plainRunSettings, tools: 'everything' })).toBeNull();
  });

  it.each(['none', 'web-search', 'everything'] as const)('keeps a prompt of the request for "%s"', (tools) => {
    expect(systemPromptOf({ systemPrompt: '', tools })).toBe('');
  });
});

describe('plainInstruction', () => {
  it('is short', () => {
    expect(plainInstruction.split(/\s+/).length).toBeLessThanOrEqual(150);
  });

  it('holds nothing that the Gemini CLI would fill in, trim or join', () => {
    expect(plainInstruction).not.toMatch(/\$\{|\n\n\n|^\s|\s$/);
  });
});
