import { hang, text } from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ServerSetup } from './server-setup.ts';

const line = 'The quick brown fox jumps over the lazy dog \u{1f98a}.\n';
const longText = line.repeat(Math.ceil(300_000 / line.length)).slice(0, 300_000);

/** How long a job is watched; `GEMINI_MCP_JOB_SECONDS=61` is the full proof, and longer than many clients wait. */
const jobSeconds = Number(process.env['GEMINI_MCP_JOB_SECONDS'] ?? 2);

describe('long answers and long calls, the built server and the real Gemini CLI', () => {
  let setup: ServerSetup;

  beforeEach(async () => {
    setup = await ServerSetup.create();
  });

  afterEach(async () => {
    await setup.dispose();
  });

  it('an answer of 300,000 characters is read back whole', async () => {
    setup.api.reply(text(longText.match(/[\s\S]{1,30000}/gu) ?? []));
    const server = await setup.start();
    const first = await server.query({ prompt: 'Write' });
    expect(Buffer.byteLength(first.text)).toBeLessThanOrEqual(40_000);
    const handle = /handle "([^"]+)"/.exec(first.text)?.[1] ?? '';
    let read = '';
    for (let parts = 0; read.length < longText.length && parts < 20; parts += 1) {
      const { text: part } = await server.call('gemini_read', { handle, offset: read.length });
      expect(Buffer.byteLength(part)).toBeLessThanOrEqual(40_000);
      read += part.slice(0, part.lastIndexOf('\n[Characters '));
    }
    expect(read === longText).toBe(true);
  });

  it(
    `a job outlives its call by ${jobSeconds} s, can be looked at, and keeps its text when it is cancelled; no process is left`,
    async () => {
      const never = new Promise(() => undefined);
      setup.api.reply(text(['The first half ', { text: 'never said', after: never }]));
      const server = await setup.start();
      const started = await server.call('geminiChat', { prompt: 'Think long', background: true });
      const handle = String(started.meta?.['jobHandle']);
      const look = async (): Promise<string> => (await server.call('gemini_job', { handle, action: 'status' })).text;
      await expect.poll(look).toContain('The first half');
      const waited = await server.call('gemini_job', { handle, action: 'wait', timeout: jobSeconds });
      expect(waited).toMatchObject({ isError: false, meta: { jobState: 'running' } });
      expect(waited.text).toContain('The first half');
      const cancelled = await server.call('gemini_job', { handle, action: 'cancel' });
      expect(cancelled).toMatchObject({ meta: { jobState: 'cancelled' } });
      expect(cancelled.text).toContain('The first half');
      expect(await setup.leftovers()).toEqual([]);
    },
    (90 + jobSeconds) * 1_000,
  );

  it('jobs end with the server', async () => {
    setup.api.reply(hang());
    const server = await setup.start();
    await server.call('geminiChat', { prompt: 'Think long', background: true });
    await setup.api.whenRequested(1);
    server.endInput();
    expect(await server.ended).toEqual({ exitCode: 0, signal: null });
    expect(await setup.leftovers()).toEqual([]);
  });
});
