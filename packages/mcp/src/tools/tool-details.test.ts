import { describe, expect, it } from 'vitest';
import { prepareCall } from '../handlers/run-call.ts';
import { cannotAsk } from '../questions/call-questions.ts';
import type { ToolOutcome } from '../surface/tool.ts';
import { ConnectedTools, type ConnectedToolsOptions } from '../testing/connected-tools.ts';

const usage = [{ model: 'gemini-3.1-pro-preview', inputTokens: 12, outputTokens: 3 }];
const searched = [
  { name: 'google_web_search', phase: 'started' },
  { name: 'google_web_search', phase: 'succeeded' },
] as const;

/** As a driving adapter of its own would call a tool. */
async function call(scene: ConnectedTools, name: string, args: unknown): Promise<ToolOutcome> {
  const tool = scene.tools.find((offered) => offered.name === name);
  if (tool === undefined) {
    throw new Error(`no tool ${name}`);
  }
  const prepared = await prepareCall(tool, args, () => undefined);
  const { signal } = new AbortController();
  const context = {
    signal,
    ask: async () => cannotAsk('transport-cannot'),
    progress: () => undefined,
    clientName: null,
    owner: 'alice',
  };
  return prepared.isAccepted ? prepared.run(context) : prepared.refusal;
}

function scene(script: ConnectedToolsOptions['script'] = () => ({ chunks: ['Yes.'], usage })): ConnectedTools {
  return new ConnectedTools({ script });
}

describe('the data of an outcome', () => {
  it.each(['gemini_query', 'geminiChat', 'chat'])('is the answer, of %s', async (name) => {
    const { detail } = await call(scene(), name, { prompt: 'x' });
    expect(detail).toMatchObject({ type: 'answer', answer: { text: 'Yes.', model: 'gemini-3.1-pro-preview', usage } });
  });

  it('is the whole answer, where the text is only its beginning', async () => {
    const long = 'x'.repeat(60_000);
    const { text, detail } = await call(
      scene(() => ({ chunks: [long] })),
      'gemini_query',
      { prompt: 'x' },
    );
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(40_000);
    expect(detail).toMatchObject({ answer: { text: long } });
  });

  it('names the conversation, and describes with it what surrounds the answer', async () => {
    const { text, meta, detail } = await call(scene(), 'chat', { prompt: 'x' });
    expect(detail).toMatchObject({ conversation: { sessionId: meta?.['sessionId'], notKept: null } });
    expect(detail).toMatchObject({ account: text });
  });

  it('is the report and the answer, of a raw search', async () => {
    const report = { summary: 'S.', sources: [] };
    const raw = scene(() => ({ tools: searched, chunks: [JSON.stringify(report)] }));
    const { detail } = await call(raw, 'googleSearch', { query: 'x', raw: true });
    expect(detail).toMatchObject({ type: 'answer', report, answer: { model: 'gemini-3.1-pro-preview' } });
  });

  it.each([
    ['gemini_query', 'query'],
    ['geminiChat', 'chat'],
    ['chat', 'chat'],
  ])('is the failure, of %s', async (name, purpose) => {
    const failing = scene(() => ({
      failure: { kind: 'invalid-input' as const, excerpt: '[API Error: bad request]' },
    }));
    const { isError, detail } = await call(failing, name, { prompt: 'x' });
    expect(isError).toBe(true);
    expect(detail).toMatchObject({ type: 'failure', purpose, failed: { failure: { kind: expect.any(String) } } });
  });

  it('is the job, and in it what it ended in', async () => {
    const tools = scene();
    const started = await call(tools, 'geminiChat', { prompt: 'x', background: true });
    expect(started.detail).toMatchObject({ type: 'job', job: { handle: 'job1', state: 'running', result: null } });
    const ended = await call(tools, 'gemini_job', { handle: 'job1', action: 'wait' });
    expect(ended.detail).toMatchObject({ job: { result: { detail: { type: 'answer', answer: { text: 'Yes.' } } } } });
  });

  it.each<[string, string, object]>([
    ['invalid-arguments', 'geminiChat', {}],
    ['invalid-arguments', 'gemini_read', { handle: 'x', offset: 1, lines: '1' }],
    ['not-allowed', 'geminiChat', { prompt: 'x', yolo: true }],
    ['not-allowed', 'googleSearch', { query: 'x', yolo: true }],
    ['unknown-job', 'gemini_job', { handle: 'x' }],
    ['unknown-answer', 'gemini_read', { handle: 'x' }],
  ])('is %s, where %s refuses', async (reason, name, args) => {
    expect(await call(scene(), name, args)).toMatchObject({ isError: true, detail: { type: 'refused', reason } });
  });

  it('is too-many-jobs, if all slots are taken', async () => {
    const tools = scene(() => ({ hangs: true }));
    const start = () => call(tools, 'geminiChat', { prompt: 'x', background: true });
    const outcomes = await Promise.all(Array.from({ length: 9 }, start));
    expect(outcomes.at(-1)).toMatchObject({ isError: true, detail: { type: 'refused', reason: 'too-many-jobs' } });
    await tools.jobs.close();
  });

  it('is not sent over MCP', async () => {
    const client = await scene().connect();
    const result = await client.callTool({ name: 'chat', arguments: { prompt: 'x' } });
    expect(Object.keys(result).sort()).toEqual(['_meta', 'content']);
  });
});
