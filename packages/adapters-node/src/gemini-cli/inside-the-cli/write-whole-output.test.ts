import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunEvent } from '@gemini-mcp/core';
import { geminiCliUnderTest } from '@gemini-mcp/fake-gemini';
import { startOfflineGeminiApi, text } from '@gemini-mcp/port-contracts/offline-api';
import { expect, it } from 'vitest';
import { SystemClock } from '../../processes/system-clock.ts';
import { CliGeminiRunner } from '../cli-gemini-runner.ts';

it('an answer of megabytes that comes in one piece arrives whole from the real CLI', async () => {
  const api = await startOfflineGeminiApi();
  const root = await mkdtemp(join(tmpdir(), 'whole-output-'));
  try {
    const answer = Array.from({ length: 3_000_000 }, (_, index) =>
      String.fromCharCode(97 + ((index * 7919) % 26)),
    ).join('');
    api.reply(text(answer));
    const clock = new SystemClock();
    const runner = new CliGeminiRunner({
      clock,
      environment: { PATH: process.env['PATH'], HOME: root, GEMINI_MCP_CLI: geminiCliUnderTest, ...api.environment() },
      runsDirectory: join(root, 'runs'),
      userDirectory: join(root, '.gemini'),
    });
    const request = { model: 'gemini-2.5-pro', input: 'Write', deadlineAtMs: clock.now() + 30_000 };
    const events: RunEvent[] = [];
    for await (const event of runner.run(request, new AbortController().signal)) {
      events.push(event);
    }
    const received = events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('');
    expect(received === answer).toBe(true);
    expect(events.at(-1)).toMatchObject({ type: 'answer' });
  } finally {
    await api.close();
    await rm(root, { recursive: true });
  }
});
