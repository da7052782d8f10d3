import { expect, it } from 'vitest';
import { readStdioSettings, stdioProgram } from './stdio-program.ts';

const warn = (environment: Record<string, string>): readonly unknown[] =>
  readStdioSettings({ environment: { HOME: '/home/ada', ...environment }, currentDirectory: '/project' }).warnings;

it('takes settings of the HTTP server for no slips of the pen', () => {
  expect(warn(Object.fromEntries(stdioProgram.otherVariables.map((variable) => [variable, '1'])))).toEqual([]);
});

it('tells of a variable that no server knows, and of a setting without effect', () => {
  expect(warn({ GEMINI_MCP_ROOT: '/x', GEMINI_MCP_READ_ONLY: '1', GEMINI_MCP_ALLOW_YOLO: '1' })).toEqual([
    { variable: 'GEMINI_MCP_ROOT', message: 'There is no such setting. Did you mean GEMINI_MCP_ROOTS?' },
    { variable: 'GEMINI_MCP_ALLOW_YOLO', message: 'It has no effect: the server is read-only.' },
  ]);
});

it('names no variable for another program that is one of its own', () => {
  const own = stdioProgram.settings.map(({ variable }) => variable);
  expect(stdioProgram.otherVariables.filter((variable) => own.includes(variable))).toEqual([]);
});
