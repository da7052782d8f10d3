import type { GeminiCli } from '@gemini-mcp/adapters-node';
import { expect, it } from 'vitest';
import { createCliLog } from './cli-log.ts';
import { createEarlyLog } from './early-log.ts';

const cli: GeminiCli = {
  command: { file: '/usr/bin/node', arguments: ['gemini.js'] },
  path: '/usr/bin/gemini',
  version: '0.61.0',
  foundBy: 'PATH',
};

it('tells once which CLI was found, and again when it is another one', () => {
  const lines: string[] = [];
  const stream = { write: (line: string) => lines.push(line) };
  const cliLog = createCliLog(createEarlyLog({ level: 'info', redact: (text) => text, stream }));
  for (const found of [cli, cli, { ...cli, version: '0.62.0' }]) {
    cliLog(found);
  }
  const base = {
    level: 'info',
    time: expect.any(String),
    event: 'cli-found',
    path: '/usr/bin/gemini',
    foundBy: 'PATH',
  };
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { ...base, version: '0.61.0' },
    { ...base, version: '0.62.0' },
  ]);
});
