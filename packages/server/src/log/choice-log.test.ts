import type { RunnerChoice } from '@gemini-mcp/core';
import { describe, expect, it } from 'vitest';
import { createEarlyLog } from './early-log.ts';
import { createChoiceLog } from './event-logs.ts';

function logged(choice: RunnerChoice): readonly Record<string, unknown>[] {
  const lines: string[] = [];
  const stream = { write: (line: string) => lines.push(line) };
  const redact = (text: string): string => text.replaceAll('canary', '[redacted]');
  createChoiceLog(createEarlyLog({ level: 'debug', redact, stream }))(choice);
  return lines.map((line) => JSON.parse(line));
}

describe('createChoiceLog', () => {
  it.each(['preferred', 'asked-for'] as const)('%s: logs the ordinary choices at debug', (reason) => {
    expect(logged({ runner: 'warm', reason, text: 'why' })).toEqual([
      { level: 'debug', time: expect.any(String), event: 'runner-chosen', runner: 'warm', reason, text: 'why' },
    ]);
  });

  it.each(['needs-sandbox', 'too-large', 'resting', 'in-reserve', 'refused', 'unavailable', 'lacks-least'] as const)(
    '%s: logs the choice of another runner than the first',
    (reason) => {
      expect(logged({ runner: 'headless', reason, text: 'why' })).toMatchObject([{ level: 'info', reason }]);
    },
  );

  it('says what the runner before it told, without secrets and not all of it', () => {
    const detail = `a canary of ${'x'.repeat(10_000)}`;
    const [line] = logged({ runner: 'headless', reason: 'unavailable', text: 'why', detail });
    expect(line?.['detail']).toMatch(/^a \[redacted\] of x{100}/);
    expect(String(line?.['detail']).length).toBeLessThan(5_000);
  });
});
