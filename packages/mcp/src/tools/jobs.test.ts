import { describe, expect, it } from 'vitest';
import { ConnectedTools } from '../testing/connected-tools.ts';

const hanging = () => ({ chunks: ['so far'], hangs: true });

describe('background jobs', () => {
  it('returns a handle at once, and the result when it is waited for', async () => {
    const tools = new ConnectedTools();
    const started = await tools.call('gemini_query', { prompt: 'Count foxes', background: true });
    expect(started).toMatchObject({ isError: false, meta: { jobHandle: 'job1' } });
    const waited = await tools.call('gemini_job', { handle: 'job1', action: 'wait' });
    expect(waited).toMatchObject({ isError: false, meta: { jobState: 'succeeded' } });
    expect(waited.parts).toEqual(['The answer.', 'Job job1 succeeded after 0 s: Count foxes']);
  });

  it('outlives a minute, tells its text so far, and keeps it when it is cancelled', async () => {
    const tools = new ConnectedTools({ script: hanging });
    await tools.call('geminiChat', { prompt: 'Think', background: true });
    await tools.clock.advance(90_000);
    const status = await tools.call('gemini_job', { handle: 'job1' });
    expect(status).toMatchObject({ isError: false, meta: { jobState: 'running' } });
    expect(status.text).toMatch(
      /is running, for 90 s now\. Asking gemini-3\.1-pro-preview, attempt 1[\s\S]*\| so far$/,
    );
    const cancelled = await tools.call('gemini_job', { handle: 'job1', action: 'cancel' });
    expect(cancelled).toMatchObject({ meta: { jobState: 'cancelled' } });
    expect(cancelled.text).toContain('so far');
  });

  it('wait gives up after its timeout and says how the job fares', async () => {
    const tools = new ConnectedTools({ script: hanging });
    await tools.call('gemini_query', { prompt: 'Think', background: true, timeout: 3_600 });
    const wait = tools.call('gemini_job', { handle: 'job1', action: 'wait', timeout: 30 });
    await tools.clock.advance(30_000);
    expect((await wait).text).toContain('is running, for 30 s now');
  });

  it('a failed job says so', async () => {
    const tools = new ConnectedTools({ script: () => ({ hangs: true }) });
    await tools.call('gemini_query', { prompt: 'Think', background: true, timeout: 10 });
    await tools.clock.advance(10_000);
    const outcome = await tools.call('gemini_job', { handle: 'job1', action: 'wait' });
    expect(outcome).toMatchObject({ isError: true, meta: { jobState: 'failed' } });
  });

  it('keeps all of a long text when it is cancelled', async () => {
    const longText = 'So far. '.repeat(30_000);
    const tools = new ConnectedTools({ script: () => ({ chunks: [longText], hangs: true }) });
    await tools.call('geminiChat', { prompt: 'Think', background: true });
    const cancelled = await tools.call('gemini_job', { handle: 'job1', action: 'cancel' });
    expect(cancelled).toMatchObject({ meta: { jobState: 'cancelled' } });
    const [, handle = ''] = /handle "([^"]+)"/.exec(cancelled.text) ?? [];
    const stored = await tools.answers.load('alice', handle, new AbortController().signal);
    expect(stored?.text === longText).toBe(true);
  });

  it.each([38_900, 38_999, 39_000, 39_990, 39_999, 40_000])(
    'a result of %i characters stays short enough with the line on the job before it',
    async (characters) => {
      const tools = new ConnectedTools({ script: () => ({ chunks: ['x'.repeat(characters)], usage: [] }) });
      await tools.call('gemini_query', { prompt: '\u202e'.repeat(100), background: true });
      const waited = await tools.call('gemini_job', { handle: 'job1', action: 'wait' });
      expect(waited).toMatchObject({ isError: false, meta: { jobState: 'succeeded' } });
      expect(Buffer.byteLength(waited.text)).toBeLessThanOrEqual(40_000);
    },
  );

  it('a Chinese answer stays short enough in bytes with a Chinese title in the line before it', async () => {
    const tools = new ConnectedTools({ script: () => ({ chunks: ['\u6f22'.repeat(12_999)], usage: [] }) });
    await tools.call('gemini_query', { prompt: '\u6f22'.repeat(100), background: true });
    const waited = await tools.call('gemini_job', { handle: 'job1', action: 'wait' });
    expect(waited.parts[0]).toBe('\u6f22'.repeat(12_999));
    expect(Buffer.byteLength(waited.text)).toBeLessThanOrEqual(40_000);
  });

  it.each([
    ['Chinese characters', '\u6f22'],
    ['emoji', '\u{1f98a}'],
  ])('shows of a running job the end of its text in whole %s', async (_, character) => {
    const tools = new ConnectedTools({ script: () => ({ chunks: [`a${character.repeat(30_000)}b`], hangs: true }) });
    await tools.call('geminiChat', { prompt: 'Think', background: true });
    const { text } = await tools.call('gemini_job', { handle: 'job1' });
    expect(text.endsWith(`| ${character.repeat(Math.floor((6_000 - 1) / Buffer.byteLength(character)))}b`)).toBe(true);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(40_000);
    expect(text).not.toMatch(/\p{Cs}/u);
    await tools.jobs.close();
  });

  it('a long answer of a job is read on by its owner and by no one else', async () => {
    const answer = 'x'.repeat(50_000);
    const tools = new ConnectedTools({ script: () => ({ chunks: [answer] }) });
    await tools.call('gemini_query', { prompt: 'Write', background: true });
    const { text } = await tools.call('gemini_job', { handle: 'job1', action: 'wait' });
    const [, handle = '', offset] = /handle "(\w+)", offset (\d+)/.exec(text) ?? [];
    const rest = await tools.call('gemini_read', { handle, offset: Number(offset) });
    expect(rest.parts).toEqual([answer.slice(Number(offset)), expect.stringContaining('This is its end.]')]);
    const bob = await tools.connect('bob');
    expect(await tools.call('gemini_read', { handle }, { client: bob })).toMatchObject({ isError: true });
    // The handle is good for longer than the job that names it is known.
    await tools.clock.advance(3_600_000);
    expect(await tools.call('gemini_job', { handle: 'job1' })).toMatchObject({ isError: true });
    expect(await tools.call('gemini_read', { handle })).toMatchObject({ isError: false });
  });

  it("another client's job is as unknown as one that never was, and cannot be cancelled", async () => {
    const tools = new ConnectedTools({ script: hanging });
    await tools.call('gemini_query', { prompt: 'My secret', background: true });
    const bob = await tools.connect('bob');
    for (const action of ['status', 'wait', 'cancel']) {
      const stolen = await tools.call('gemini_job', { handle: 'job1', action }, { client: bob });
      const invented = await tools.call('gemini_job', { handle: 'job9', action }, { client: bob });
      expect(stolen).toEqual(invented);
      expect(stolen.text).not.toContain('secret');
    }
    expect((await tools.call('gemini_job', { handle: 'job1' })).meta).toMatchObject({ jobState: 'running' });
    await tools.jobs.close();
  });

  it('asks at the flexible tier if the call says so, and the account tells it', async () => {
    const tools = new ConnectedTools();
    const args = { prompt: 'Count foxes', flexible: true };
    expect((await tools.call('gemini_query', args)).text).toContain('- flexible: needs background: true');
    await tools.call('gemini_query', { ...args, background: true });
    const waited = await tools.call('gemini_job', { handle: 'job1', action: 'wait' });
    expect(waited.text).toContain('Note: Asked at the flexible tier');
    expect(tools.runner.requests.map(({ settings }) => settings?.serviceTier)).toEqual(['flexible']);
  });
});
