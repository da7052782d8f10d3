import { text } from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ServerSetup } from './server-setup.ts';

/** How long a job is watched; `GEMINI_MCP_JOB_SECONDS=61` is the full proof, and longer than many clients wait. */
const jobSeconds = Number(process.env['GEMINI_MCP_JOB_SECONDS'] ?? 2);

describe('long calls, the built server', () => {
  let setup: ServerSetup;

  beforeEach(async () => {
    setup = await ServerSetup.create('api');
  });

  afterEach(() => setup.dispose());

  it(
    `a job outlives its call by ${jobSeconds} s, can be looked at, and keeps its text when it is cancelled`,
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
    },
    (90 + jobSeconds) * 1_000,
  );

  it('a call that outlasts its client becomes a job by itself: the answer comes whole, and was asked for once', async () => {
    let finish = (): void => undefined;
    const later = new Promise<void>((resolve) => {
      finish = resolve;
    });
    setup.api.reply(text(['The first half ', { text: 'and the second.', after: later }]));
    const server = await setup.start({ GEMINI_MCP_CALL_LIMIT_SECONDS: '2' });
    const handedOver = await server.call('gemini_query', { prompt: 'Think long' });
    expect(handedOver).toMatchObject({ isError: false, meta: { jobState: 'running' } });
    expect(handedOver.text).toContain('| The first half ');
    const handle = String(handedOver.meta?.['jobHandle']);
    const waited = await server.call('gemini_job', { handle, action: 'wait', timeout: 600 });
    expect(waited).toMatchObject({ meta: { jobState: 'running' } });
    finish();
    const answered = await server.call('gemini_job', { handle, action: 'wait' });
    expect(answered.text).toContain('The first half and the second.');
    expect(setup.api.requests).toHaveLength(1);
  });

  it('a job whose client has gone is finished, and the next server of the client has its answer', async () => {
    let finish = (): void => undefined;
    const later = new Promise<void>((resolve) => {
      finish = resolve;
    });
    setup.api.reply(text(['The first half ', { text: 'and the second.', after: later }]));
    const server = await setup.start({ GEMINI_MCP_CALL_LIMIT_SECONDS: '2' });
    const handedOver = await server.call('gemini_query', { prompt: 'Think long' });
    const handle = String(handedOver.meta?.['jobHandle']);
    server.endInput();
    await server.until(() => server.stderr.includes('client-gone'));
    finish();
    expect(await server.ended).toEqual({ exitCode: 0, signal: null });
    expect(server.stderr).toContain('job-ended');
    const next = await setup.start();
    const listed = await next.call('gemini_job', {});
    expect(listed.text).toContain(`- ${handle}: succeeded, Think long`);
    const answered = await next.call('gemini_job', { handle, action: 'wait' });
    expect(answered.text).toContain('The first half and the second.');
    expect(setup.api.requests).toHaveLength(1);
    const stranger = await setup.start({}, { clientName: 'another' });
    expect((await stranger.call('gemini_job', { handle })).text).toContain('Unknown job');
  });

  it('a job whose client has gone ends with a signal, and its text waits for the next server', async () => {
    setup.api.reply(text(['The first half ', { text: 'never said', after: new Promise(() => undefined) }]));
    const server = await setup.start({ GEMINI_MCP_CALL_LIMIT_SECONDS: '2' });
    const { meta } = await server.call('gemini_query', { prompt: 'Think long' });
    server.endInput();
    await server.until(() => server.stderr.includes('client-gone'));
    server.kill('SIGTERM');
    expect(await server.ended).toEqual({ exitCode: 0, signal: null });
    const next = await setup.start();
    const found = await next.call('gemini_job', { handle: String(meta?.['jobHandle']) });
    expect(found).toMatchObject({ meta: { jobState: 'cancelled' } });
    expect(found.text).toContain('The first half');
  });
});
