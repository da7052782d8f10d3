import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { buildPreload, withPreload } from './preload.ts';
import { reportModelCallsPiece } from './report-model-calls.ts';

/** What a process says that makes this call as the CLI makes its own, and that then prints what it got of it. */
async function call(made: string): Promise<{ readonly reports: readonly unknown[]; readonly said: readonly string[] }> {
  const root = await mkdtemp(join(tmpdir(), 'report-model-calls-'));
  try {
    const { path, content } = buildPreload([reportModelCallsPiece('stream-json')]);
    await writeFile(join(root, path), content);
    const script = `
      const tracer = globalThis[Symbol.for('opentelemetry.js.api.1')].trace.getTracer('gemini-cli');
      const options = { attributes: { 'gen_ai.conversation.id': 'one', 'gen_ai.request.model': 'asked' } };
      const span = (make, name = 'llm_call') => tracer.startActiveSpan(name, options, make);
      const drain = async (stream) => { for await (const part of stream) console.log('part ' + part.text); };
      (async () => { ${made} })().catch((error) => console.log('threw ' + error.message)).then(() => console.log('end'));`;
    await writeFile(join(root, 'script.js'), script);
    const { file, arguments: words } = withPreload(
      { file: process.execPath, arguments: [join(root, 'script.js')] },
      root,
    );
    const { stdout } = await execa(file, words);
    const lines = stdout.trimEnd().split('\n');
    return {
      reports: lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line)),
      said: lines.filter((line) => !line.startsWith('{')),
    };
  } finally {
    await rm(root, { recursive: true });
  }
}

const report = {
  type: 'gemini_mcp_model_call',
  isStreamed: true,
  model: 'asked',
  isWhole: true,
  finishReason: null,
  blockReason: null,
  modelVersion: null,
  usage: null,
};

it('passes every response on as it is, and keeps no more of them than a few words', async () => {
  const long = 'X'.repeat(5_000);
  const made = `await drain(await span(async () => (async function* () {
    yield { text: 'a', modelVersion: '${long}' };
    yield { text: 'b', candidates: [{ finishReason: 'STOP' }] };
  })()));`;
  expect(await call(made)).toEqual({
    reports: [{ ...report, finishReason: 'STOP', modelVersion: 'X'.repeat(100) }],
    said: ['part a', 'part b', 'end'],
  });
});

it('passes on what fails, before the stream and amid it', async () => {
  const before = `await span(async () => { throw new Error('no stream'); });`;
  expect(await call(before)).toEqual({ reports: [{ ...report, isWhole: false }], said: ['threw no stream', 'end'] });
  const amid = `await drain(await span(async () => (async function* () { yield { text: 'a' }; throw new Error('cut'); })()));`;
  expect(await call(amid)).toEqual({ reports: [{ ...report, isWhole: false }], said: ['part a', 'threw cut', 'end'] });
});

it.each([
  [
    'a response that throws when it is looked at',
    `yield { text: 'a', get candidates() { throw new Error('trap'); } };`,
  ],
  ['a response that is not an object', `yield Object.assign(Object(1), { text: 'a' });`],
])('does not affect a call with %s', async (_, body) => {
  const made = `await drain(await span(async () => (async function* () { ${body} })()));`;
  expect((await call(made)).said).toEqual(['part a', 'end']);
});

it("reports a request's usage: the last total of a stream, and no invalid count", async () => {
  const none = { inputTokens: 0, outputTokens: 0, thoughtTokens: 0, cachedTokens: 0, toolTokens: 0 };
  const streamed = `await drain(await span(async () => (async function* () {
    yield { text: 'a', usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 1 } };
    yield { text: 'b', usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 4, thoughtsTokenCount: 5, cachedContentTokenCount: 6, toolUsePromptTokenCount: 7 } };
    yield { text: 'c' };
  })()));`;
  expect((await call(streamed)).reports).toEqual([
    { ...report, usage: { inputTokens: 9, outputTokens: 4, thoughtTokens: 5, cachedTokens: 6, toolTokens: 7 } },
  ]);
  const wrong = `await drain(await span(async () => (async function* () {
    yield { text: 'a', usageMetadata: { promptTokenCount: '9', candidatesTokenCount: -1, thoughtsTokenCount: 1e300, cachedContentTokenCount: 0.5 } };
  })()));`;
  expect((await call(wrong)).reports).toEqual([{ ...report, usage: none }]);
  const inOnePiece = `console.log((await span(async () => ({ text: 'whole', modelVersion: 'v', usageMetadata: { promptTokenCount: 2 } }))).text);`;
  expect(await call(inOnePiece)).toEqual({
    reports: [{ ...report, isStreamed: false, modelVersion: 'v', usage: { ...none, inputTokens: 2 } }],
    said: ['whole', 'end'],
  });
});

it.each([
  [
    'a request for an unstreamed response without usage',
    `console.log((await span(async () => ({ text: 'whole' }))).text);`,
    'whole',
  ],
  ['a span of another kind', `console.log(await span(async () => 'done', 'tool_call'));`, 'done'],
  ['a span that does nothing asynchronous', `console.log(span(() => 'now'));`, 'now'],
  [
    'a span that is written to',
    `console.log(await span(async (one) => one.setAttribute('a', 1).setStatus({}).isRecording()));`,
    'false',
  ],
])('reports nothing of %s', async (_, made, said) => {
  expect(await call(made)).toEqual({ reports: [], said: [said, 'end'] });
});
