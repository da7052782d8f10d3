import { expect, it } from 'vitest';
import { sampleProgram } from '../testing/sample-program.ts';
import { settingFlags } from './parse-command-line.ts';
import { helpText } from './run-command.ts';

const help = helpText(sampleProgram);

it('begins with the purpose of the program', () => {
  expect(help.startsWith(`${sampleProgram.intro}\n\nThe house:\n`)).toBe(true);
});

it('names every flag of a setting, and every variable', () => {
  for (const name of [
    ...Object.keys(settingFlags(sampleProgram.settings)).map((flag) => `--${flag}`),
    ...sampleProgram.settings.map(({ variable }) => variable),
  ]) {
    expect(help).toContain(name);
  }
});

it('shows a setting that has no flag by its variable', () => {
  expect(help).toContain('\n  GEMINI_MCP_KNOCK\n      How to knock. Default: none.\n');
  expect(help).not.toContain('--knock');
});

it('holds no markup, and lines that fit a terminal', () => {
  expect(help).not.toMatch(/`|\]\(/);
  expect(Math.max(...help.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
});
