import { httpSettingList } from '@gemini-mcp/server';
import { expect, it } from 'vitest';
import { readStdioSettings } from './stdio-program.ts';

const warn = (environment: Record<string, string>): readonly unknown[] =>
  readStdioSettings({ environment: { HOME: '/home/ada', ...environment }, currentDirectory: '/project' }).warnings;

it('says nothing about settings of the HTTP server, which may be started from the same environment', () => {
  expect(warn(Object.fromEntries(httpSettingList.map(({ variable }) => [variable, '1'])))).toEqual([]);
});

it('warns of an unknown variable, and of a setting without effect', () => {
  expect(warn({ GEMINI_MCP_ROOT: '/x', GEMINI_MCP_READ_ONLY: '1', GEMINI_MCP_ALLOW_YOLO: '1' })).toEqual([
    { variable: 'GEMINI_MCP_ROOT', message: 'Unknown setting. Did you mean GEMINI_MCP_ROOTS?' },
    { variable: 'GEMINI_MCP_ALLOW_YOLO', message: 'It has no effect: the server is read-only.' },
  ]);
});
