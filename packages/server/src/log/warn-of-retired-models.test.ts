import { FakeClock } from '@gemini-mcp/core/testing';
import { expect, it } from 'vitest';
import { createLog } from './create-log.ts';
import { warnOfRetiredModels } from './event-logs.ts';

it('warns at the start of each model of the chain that Google shuts down (MODEL-02)', () => {
  const lines: string[] = [];
  const stream = { write: (line: string) => lines.push(line) };
  const log = createLog({ level: 'info', redact: (text) => text, stream });
  const chain = ['gemini-3.8-flash', 'gemini-2.5-flash', 'gemini-2.5-pro'];
  warnOfRetiredModels(chain, new FakeClock(Date.UTC(2026, 10, 22)), log);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      level: 'warn',
      event: 'model-retired',
      model: 'gemini-2.5-flash',
      message: expect.stringContaining('2026-12-01'),
    },
    { level: 'warn', event: 'model-retired', model: 'gemini-2.5-pro', message: expect.stringContaining('2026-12-01') },
  ]);
});
