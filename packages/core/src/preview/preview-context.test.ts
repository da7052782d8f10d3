import { describe, expect, it } from 'vitest';
import { AskGemini } from '../ask-gemini/ask-gemini.ts';
import type { AskRequest } from '../ask-gemini/ask-request.ts';
import { estimateTextTokens } from '../ask-gemini/estimate-text-tokens.ts';
import { AskForJson } from '../json-answer/ask-for-json.ts';
import type { ContextBundle, ContextResolver } from '../ports/context-resolver.ts';
import type { RunRequest } from '../ports/gemini-runner/run-request.ts';
import { plainRunSettings } from '../ports/gemini-runner/run-settings.ts';
import type { TokenCount } from '../ports/gemini-runner/token-usage.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { InMemoryContextResolver } from '../testing/in-memory-context-resolver.ts';
import { messageOnly, ScriptedGeminiRunner } from '../testing/scripted-gemini-runner.ts';
import { CallQueue } from '../waiting/call-queue.ts';
import { type ContextPreview, PreviewContext, type PreviewRequest, type PreviewResult } from './preview-context.ts';

const clock = new FakeClock();
const runner = new ScriptedGeminiRunner({ clock, script: () => ({ chunks: ['Because.'] }) });
const tree = { 'a.ts': 'on\u00e9', 'b.ts': 'x'.repeat(4_000), bin: Uint8Array.of(0) };

const plain: AskRequest = {
  prompt: 'Why?',
  files: [],
  globPatterns: [],
  directories: [],
  model: null,
  timeoutMs: 1_000,
  maxFiles: 9,
  maxBytes: 5_000,
};

function optionsWith(resolver: ContextResolver) {
  return { clock, resolver, modelChain: ['pro', 'gemma-4'] as const, boundaryOf: () => 'b0' };
}

function preview(
  known: Partial<PreviewRequest>,
  resolver: ContextResolver = new InMemoryContextResolver({ tree, clock }),
  signal: AbortSignal = new AbortController().signal,
): Promise<PreviewResult> {
  return new PreviewContext({ ...optionsWith(resolver), runner }).preview({ ...plain, ...known }, signal);
}

async function shown(known: Partial<PreviewRequest>, resolver?: ContextResolver): Promise<ContextPreview> {
  const result = await preview(known, resolver);
  if (!result.ok) {
    throw new Error(`An unexpected failure: ${result.failed.failure.kind}`);
  }
  return result.preview;
}

function resolving(bundle: ContextBundle): ContextResolver {
  return { resolve: async () => bundle };
}

describe('PreviewContext', () => {
  it('measures the prompt alone when nothing is named', async () => {
    expect(await shown({ prompt: 'Wh\u00ff?!' })).toEqual({
      entries: [],
      leftOut: [],
      messageBytes: 6,
      messageCharacters: 5,
      estimatedTokens: 3,
      canBeCounted: false,
      windowTokens: 256_000,
      share: 3 / 256_000,
      limits: { maxFiles: 9, maxBytes: 5_000, maxCharacters: 1_024_000, maxMediaBytes: 1_000_000 },
    });
  });

  it('lists what would be sent and what would not, and asks no model', async () => {
    const { entries, leftOut } = await shown({ files: ['b.ts', 'a.ts', 'gone', 'bin'] });
    expect(entries).toEqual([
      { path: 'a.ts', bytes: 4, estimatedTokens: 2 },
      { path: 'b.ts', bytes: 4_000, estimatedTokens: 1_039 },
    ]);
    expect(leftOut.map(({ path, reason }) => [path, reason])).toEqual([
      ['gone', 'not-found'],
      ['bin', 'binary'],
    ]);
    expect(runner.requests).toEqual([]);
  });

  it('measures the very message that a call would send', async () => {
    const asked = new ScriptedGeminiRunner({ clock, script: () => ({ chunks: ['Because.'] }) });
    const resolver = new InMemoryContextResolver({ tree, clock });
    const askGemini = new AskGemini({ ...optionsWith(resolver), runner: asked, random: () => 0 });
    const request = { ...plain, files: ['a.ts', 'b.ts', 'gone'] };
    await askGemini.ask(request, () => undefined, new AbortController().signal);
    const input = asked.requests[0]?.input ?? '';
    expect(await shown(request)).toMatchObject({
      messageBytes: Buffer.byteLength(input),
      messageCharacters: input.length,
      estimatedTokens: estimateTextTokens(input),
    });
  });

  it('measures what a question for JSON would send to a runner that is asked for it by the prompt', async () => {
    const answerSchema = { type: 'object', title: 'x'.repeat(1_000) };
    const capabilities = { answerSchema: false };
    const asked = new ScriptedGeminiRunner({ clock, capabilities, script: () => ({ chunks: ['{}'] }) });
    const resolver = new InMemoryContextResolver({ tree, clock });
    const options = { ...optionsWith(resolver), runner: asked };
    const askGemini = new AskGemini({ ...options, random: () => 0 });
    const form = { schema: answerSchema, findProblem: () => null };
    const { signal } = new AbortController();
    await new AskForJson({ clock, askGemini, runner: asked }).ask(plain, form, () => undefined, signal);
    const previewed = await new PreviewContext(options).preview({ ...plain, answerSchema }, signal);
    expect(asked.requests[0]?.input.length).toBeGreaterThan(1_000);
    expect(previewed).toMatchObject({ ok: true, preview: { messageCharacters: asked.requests[0]?.input.length } });
  });

  it('leaves the message as it is where the runner holds the answer to a schema', async () => {
    expect(await shown({ answerSchema: { type: 'object' } })).toMatchObject({ messageCharacters: plain.prompt.length });
  });

  it.each<[Partial<AskRequest>, string]>([
    [{ urls: ['https://example.org/'] }, 'urls'],
    [{ settings: { ...plainRunSettings, thinking: 'low' } }, 'thinking'],
  ])('ends as the call would if the runner does not support the request: %j', async (known, feature) => {
    const asked = new ScriptedGeminiRunner({ clock, capabilities: messageOnly, script: () => ({}) });
    const resolver = new InMemoryContextResolver({ tree, clock });
    const previews = new PreviewContext({ ...optionsWith(resolver), runner: asked });
    const result = await previews.preview({ ...plain, ...known }, new AbortController().signal);
    expect(result).toMatchObject({ ok: false, failed: { failure: { kind: 'unsupported', feature } } });
  });

  it('counts the conversation as part of the window', async () => {
    const history = [{ role: 'user', text: 'is '.repeat(30_000) }] as const;
    const { estimatedTokens, share, limits } = await shown({ prompt: '', history });
    expect([estimatedTokens, share]).toEqual([30_000, 30_000 / 256_000]);
    expect(limits.maxCharacters).toBe(934_000);
  });

  it('takes the window of the model that was named', async () => {
    expect(await shown({ model: 'gemini-3.1-pro-preview' })).toMatchObject({ windowTokens: 1_048_576 });
  });

  it.each([
    ['audio/wav', 1_760_000, 320],
    ['audio/aiff', 1_760_000, 320],
    ['audio/flac', 880_000, 320],
    ['audio/mp3', 160_000, 320],
    ['video/mp4', 1_200_000, 3_000],
  ])('reckons ten seconds of %s at a usual rate by their size', async (mediaType, size, tokens) => {
    const media = [{ path: 'a', mediaType, bytes: new Uint8Array(size) }];
    const { entries } = await shown({ files: ['a'] }, resolving({ documents: [], media, leftOut: [] }));
    expect(entries).toEqual([{ path: 'a', bytes: size, estimatedTokens: tokens, mediaType }]);
  });

  it('estimates images and PDFs like the Gemini CLI, whatever their size, and lines by their text', async () => {
    const bytes = new Uint8Array(7);
    const lines = { first: 3, last: 4 };
    const { entries, estimatedTokens } = await shown(
      { files: ['a'] },
      resolving({
        documents: [{ path: 'a.ts', text: 'four', sizeBytes: 4, origin: 'file', lines }],
        media: [
          { path: 'a.pdf', mediaType: 'application/pdf', bytes },
          { path: 'a.png', mediaType: 'image/png', bytes },
        ],
        leftOut: [],
      }),
    );
    expect(entries).toEqual([
      { path: 'a.ts', bytes: 4, estimatedTokens: 1, lines },
      { path: 'a.pdf', bytes: 7, estimatedTokens: 25_800, mediaType: 'application/pdf' },
      { path: 'a.png', bytes: 7, estimatedTokens: 3_000, mediaType: 'image/png' },
    ]);
    expect(estimatedTokens - 28_800).toBeGreaterThan(10);
    expect(estimatedTokens - 28_800).toBeLessThan(300);
  });

  it('sends nothing to have it counted unless it is asked to, also where a call would count', async () => {
    const counted: RunRequest[] = [];
    const counting = new ScriptedGeminiRunner({
      clock,
      script: () => ({}),
      count: (request) => {
        counted.push(request);
        return { ok: true, tokens: 1 };
      },
    });
    // 600,000 tokens by the estimate; 256,000 fit.
    const files = ['a.txt', 'b.txt', 'c.txt'];
    const large = Object.fromEntries(files.map((name) => [name, '7 '.repeat(100_000)]));
    const resolver = new InMemoryContextResolver({ tree: large, clock });
    const previews = new PreviewContext({ ...optionsWith(resolver), runner: counting });
    const request = { ...plain, files, maxBytes: 5_000_000 };
    const { signal } = new AbortController();
    expect(await previews.preview(request, signal)).toMatchObject({
      ok: true,
      preview: { canBeCounted: true, entries: [{ path: 'a.txt' }], leftOut: [{ path: 'b.txt' }, { path: 'c.txt' }] },
    });
    expect(counted).toEqual([]);
    const asked = await previews.preview({ ...request, countsTokens: true }, signal);
    expect(asked).toMatchObject({ ok: true, preview: { countedTokens: 1, leftOut: [] } });
    expect(counted).toHaveLength(1);
  });

  it('says that the runner cannot count if a count is requested', async () => {
    expect(await shown({ countsTokens: true })).toMatchObject({
      canBeCounted: false,
      countFailure: { kind: 'unsupported', feature: 'token-count' },
    });
  });

  it('counts everything once on request, and says why if that fails', async () => {
    const counted: RunRequest[] = [];
    const outcomes: TokenCount[] = [
      { ok: true, tokens: 512 },
      { ok: false, failure: { kind: 'overloaded', excerpt: '' } },
    ];
    const counting = new ScriptedGeminiRunner({
      clock,
      script: () => ({}),
      count: (request) => {
        counted.push(request);
        return outcomes.shift() ?? { hangs: true };
      },
    });
    const resolver = new InMemoryContextResolver({ tree, clock });
    const previews = new PreviewContext({ ...optionsWith(resolver), runner: counting });
    const history = [{ role: 'user', text: 'Hi' }] as const;
    const request = { ...plain, files: ['a.ts', 'b.ts'], history, countsTokens: true };
    const { signal } = new AbortController();
    const results = [await previews.preview(request, signal), await previews.preview(request, signal)];
    expect(results).toMatchObject([
      { preview: { countedTokens: 512, windowTokens: 256_000, share: 0.002 } },
      { preview: { estimatedTokens: expect.any(Number), countFailure: { kind: 'overloaded' } } },
    ]);
    expect(counted).toHaveLength(2);
    expect(counted[0]).toMatchObject({ model: 'pro', history, input: expect.stringContaining('<file path="b.ts"') });
    expect(counting.requests, 'messages that reached the model').toEqual([]);
  });

  it.each<[string, Partial<AskRequest>, string]>([
    ['nothing that was named is there', { files: ['gone'] }, 'no-context'],
    ['there is no room for it', { files: ['b.ts'], maxBytes: 10 }, 'context-too-large'],
    ['the conversation is too long', { history: [{ role: 'user', text: 'x'.repeat(1_024_000) }] }, 'context-too-large'],
  ])('fails as a call would when %s', async (_, known, kind) => {
    expect(await preview(known)).toMatchObject({
      ok: false,
      failed: { failure: { kind }, attempts: [], timeoutMs: 1_000 },
    });
  });

  it('is cancelled while it reads', async () => {
    const cancellation = new AbortController();
    const pending = preview({ files: ['a.ts'] }, undefined, cancellation.signal);
    cancellation.abort();
    expect(await pending).toMatchObject({ ok: false, failed: { failure: { kind: 'cancelled' } } });
  });
});

it('PreviewContext lets no more previews hold what they would send than may run, and turns away what finds no place', async () => {
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  let running = 0;
  let most = 0;
  const resolver: ContextResolver = {
    resolve: async () => {
      running += 1;
      most = Math.max(most, running);
      await gate;
      running -= 1;
      return { documents: [], leftOut: [] };
    },
  };
  const queue = new CallQueue({ maxRunning: 2, maxQueued: 3 });
  const previews = new PreviewContext({ ...optionsWith(resolver), runner, queue });
  const { signal } = new AbortController();
  const asked = Array.from({ length: 7 }, () => previews.preview({ ...plain, files: ['a.ts'] }, signal));
  open();
  const kinds = (await Promise.all(asked)).map((result) => (result.ok ? 'shown' : result.failed.failure.kind));
  expect(most).toBe(2);
  expect(kinds.filter((kind) => kind === 'busy')).toHaveLength(2);
  expect(queue.load).toEqual({ running: 0, queued: 0 });
});
