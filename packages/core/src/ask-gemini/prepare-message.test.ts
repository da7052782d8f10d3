import { describe, expect, it } from 'vitest';
import { chainWindowTokens } from '../fallback/model-chain.ts';
import type { ContextResolver } from '../ports/context-resolver.ts';
import type { ModelChain, RunnerCapabilities } from '../ports/gemini-runner/runner-capabilities.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { InMemoryContextResolver } from '../testing/in-memory-context-resolver.ts';
import type { AskProgress, AskRequest } from './ask-request.ts';
import { type PreparedMessage, prepareMessage } from './prepare-message.ts';

const clock = new FakeClock();

type Arrangement = {
  readonly request: Partial<AskRequest>;
  readonly tree?: Readonly<Record<string, string>>;
  readonly resolver?: ContextResolver;
  readonly capabilities?: Partial<RunnerCapabilities>;
  readonly chain?: ModelChain;
  readonly deadlineAtMs?: number;
};

async function prepare(arrangement: Arrangement): Promise<{ prepared: PreparedMessage; progress: AskProgress[] }> {
  const { request, tree = {}, chain = ['pro'], deadlineAtMs = clock.now() + 1_000 } = arrangement;
  const progress: AskProgress[] = [];
  const prepared = await prepareMessage(
    {
      request: {
        prompt: 'Why?',
        files: [],
        globPatterns: [],
        directories: [],
        model: null,
        timeoutMs: 1_000,
        maxFiles: 1_000,
        maxBytes: 1_000_000,
        ...request,
      },
      deadlineAtMs,
      windowTokens: chainWindowTokens(chain),
      resolver: arrangement.resolver ?? new InMemoryContextResolver({ tree, clock }),
      capabilities: {
        name: 'any',
        maxInputBytes: 8_000_000,
        maxInputCharacters: 4_000_000,
        resume: false,
        tools: ['none'],
        sandbox: false,
        systemPrompt: false,
        mediaTypes: [],
        maxMediaBytes: 0,
        warmStart: false,
        streaming: true,
        usage: true,
        keyOfCall: false,
        ...arrangement.capabilities,
      },
      boundaryOf: () => 'b0',
      count: null,
      onProgress: (event) => progress.push(event),
    },
    new AbortController().signal,
  );
  return { prepared, progress };
}

describe('prepareMessage', () => {
  it('takes the prompt for the message when nothing is named', async () => {
    const { prepared, progress } = await prepare({ request: { prompt: '/help @a </request>' } });
    expect(prepared).toEqual({
      failure: null,
      message: '/help @a </request>',
      media: [],
      documents: [],
      context: null,
      limits: { maxFiles: 1_000, maxBytes: 1_000_000, maxCharacters: 4_000_000, maxMediaBytes: 0 },
      tokens: null,
    });
    expect(progress).toEqual([]);
  });

  it('puts the named files before the prompt, and reports them', async () => {
    const { prepared, progress } = await prepare({
      request: { files: ['a.ts', 'gone.ts'], directories: ['src'] },
      tree: { 'a.ts': 'one', 'src/b.ts': 'tw\u00f6', 'c.md': '' },
    });
    expect(prepared).toEqual({
      failure: null,
      message: expect.stringMatching(/^The files named/),
      media: [],
      documents: [
        expect.objectContaining({ path: 'a.ts', sizeBytes: 3 }),
        expect.objectContaining({ path: 'src/b.ts', sizeBytes: 4 }),
      ],
      context: {
        files: 2,
        media: 0,
        bytes: 7,
        workingDirectory: '/project',
        leftOut: [{ path: 'gone.ts', reason: 'not-found', origin: 'file' }],
        limits: { maxFiles: 1_000, maxBytes: 1_000_000, maxCharacters: 4_000_000, maxMediaBytes: 0 },
      },
      limits: { maxFiles: 1_000, maxBytes: 1_000_000, maxCharacters: 4_000_000, maxMediaBytes: 0 },
      tokens: null,
    });
    expect(prepared.failure === null && prepared.message.split('\n\n').slice(1)).toEqual([
      '<file path="a.ts" boundary="b0">\none\n</file boundary="b0">',
      '<file path="src/b.ts" boundary="b0">\ntw\u00f6\n</file boundary="b0">',
      '<file path="gone.ts" error="not found" boundary="b0" />',
      '<request boundary="b0">\nWhy?\n</request boundary="b0">',
    ]);
    expect(progress).toEqual([{ type: 'reading-context' }, { type: 'context-ready', files: 2, bytes: 7 }]);
  });

  it('asks the resolver for what the caller named, by the lowered limits and the deadline of the call', async () => {
    const selections: unknown[] = [];
    const resolver: ContextResolver = {
      resolve: async (selection) => {
        selections.push(selection);
        return { documents: [], leftOut: [] };
      },
    };
    const names = { files: ['a'], globPatterns: ['*.b'], directories: ['c'] };
    const request = { ...names, maxFiles: 7, maxBytes: 5_000 };
    const media = { mediaTypes: ['image/png'], maxMediaBytes: 9_000 };
    await prepare({ request, resolver, capabilities: { maxInputBytes: 4_000 }, deadlineAtMs: 12 });
    await prepare({ request, resolver, capabilities: { maxInputBytes: 6_000, ...media }, deadlineAtMs: 13 });
    const both = { maxInputBytes: 6_000, ...media };
    await prepare({ request: { ...request, maxMediaBytes: 8_999 }, resolver, capabilities: both, deadlineAtMs: 14 });
    await prepare({ request: { ...request, maxMediaBytes: 9_001 }, resolver, capabilities: both, deadlineAtMs: 15 });
    expect(selections).toEqual([
      { ...names, maxFiles: 7, maxBytes: 4_000, deadlineAtMs: 12, mediaTypes: [], maxMediaBytes: 0 },
      { ...names, maxFiles: 7, maxBytes: 5_000, deadlineAtMs: 13, ...media },
      { ...names, maxFiles: 7, maxBytes: 5_000, deadlineAtMs: 14, ...media, maxMediaBytes: 8_999 },
      { ...names, maxFiles: 7, maxBytes: 5_000, deadlineAtMs: 15, ...media },
    ]);
  });

  it('sends media with the message, also when there is nothing else', async () => {
    const media = [{ path: 'a.png', mediaType: 'image/png', bytes: Uint8Array.of(1, 2, 3) }];
    const resolver = { resolve: async () => ({ documents: [], media, leftOut: [] }) };
    const { prepared, progress } = await prepare({ request: { files: ['a.png'] }, resolver });
    expect(prepared).toMatchObject({
      failure: null,
      media: [{ path: 'a.png', mediaType: 'image/png' }],
      context: { files: 1, media: 1, bytes: 3 },
    });
    expect(progress.at(-1)).toEqual({ type: 'context-ready', files: 1, bytes: 3 });
  });

  it('counts several parts of a file as one file', async () => {
    const part = { path: 'a.ts', text: 'one', sizeBytes: 3, origin: 'file' } as const;
    const documents = [
      { ...part, lines: { first: 1, last: 1 } },
      { ...part, lines: { first: 9, last: 9 } },
    ];
    const resolver = { resolve: async () => ({ documents, leftOut: [] }) };
    const { prepared } = await prepare({ request: { files: ['a.ts:1,9'] }, resolver });
    expect(prepared).toMatchObject({
      documents: [{ lines: { first: 1, last: 1 } }, { lines: { first: 9, last: 9 } }],
      context: { files: 1, media: 0, bytes: 6 },
    });
  });

  it.each<[string, Arrangement, object]>([
    [
      'the runner',
      { request: {}, capabilities: { maxInputBytes: 4_000, maxInputCharacters: 3_000, maxMediaBytes: 2_000 } },
      { maxBytes: 4_000, maxCharacters: 3_000, maxMediaBytes: 2_000 },
    ],
    [
      'the smallest window of the chain',
      { request: {}, chain: ['pro', 'gemma-4-31b-it'] },
      { maxBytes: 1_000_000, maxCharacters: 1_024_000 },
    ],
    [
      'the conversation so far',
      { request: { history: [{ role: 'user', text: 'x'.repeat(1_000) }] } },
      { maxBytes: 1_000_000, maxCharacters: 3_999_000 },
    ],
    [
      'nothing, where all have room for it',
      { request: { maxBytes: 100 } },
      { maxBytes: 100, maxCharacters: 4_000_000 },
    ],
  ])('reports the limits, lowered by %s', async (_, arrangement, limits) => {
    const request = { ...arrangement.request, files: ['a'] };
    const { prepared } = await prepare({ ...arrangement, request, tree: { a: '1' } });
    expect(prepared.context?.limits).toEqual({ maxFiles: 1_000, maxMediaBytes: 0, ...limits });
  });

  it.each<[string, Arrangement, number | undefined]>([
    ['the limit that the caller has set', { request: { maxBytes: 2 } }, 2],
    [
      'none, where the runner carries less than that',
      { request: { maxBytes: 2 }, capabilities: { maxInputBytes: 1 } },
      undefined,
    ],
  ])('names %s into which no named file fits', async (_, arrangement, setLimitBytes) => {
    const request = { ...arrangement.request, files: ['a'] };
    const { prepared } = await prepare({ ...arrangement, request, tree: { a: 'one' } });
    expect(prepared.failure).toEqual({
      ...{ kind: 'context-too-large', refusal: null, excerpt: '' },
      ...(setLimitBytes !== undefined && { setLimitBytes }),
    });
  });

  it.each<[string, Arrangement, string]>([
    ['nothing that was named is there', { request: {} }, 'no-context'],
    ['the caller lets nothing in', { request: { maxFiles: 0 }, tree: { a: 'one' } }, 'context-too-large'],
    [
      'the file is larger than the caller lets in',
      { request: { maxBytes: 2 }, tree: { a: 'one' } },
      'context-too-large',
    ],
    [
      'the file is larger than the runner carries',
      { request: {}, tree: { a: 'x'.repeat(999) }, capabilities: { maxInputCharacters: 1_000 } },
      'context-too-large',
    ],
    ['no time was left to read', { request: {}, tree: { a: 'one' }, deadlineAtMs: 0 }, 'timeout'],
  ])('fails when %s', async (_, arrangement, kind) => {
    const { prepared, progress } = await prepare({ ...arrangement, request: { ...arrangement.request, files: ['a'] } });
    expect(prepared).toMatchObject({ failure: { kind }, context: { files: 0, leftOut: [{ path: 'a' }] } });
    expect(progress).toEqual([{ type: 'reading-context' }]);
  });

  it('SWAP-06: says that a search was stopped, not that the message is too large', async () => {
    const leftOut = [{ path: '/**/x', reason: 'search-stopped', origin: 'glob' }] as const;
    const resolver = { resolve: () => Promise.resolve({ documents: [], leftOut }) };
    const { prepared } = await prepare({ request: { globPatterns: ['/**/x'] }, resolver });
    expect(prepared).toMatchObject({ failure: { kind: 'no-context', leftOut } });
  });

  it.each([
    ['a prompt alone', { prompt: 'x'.repeat(501) }],
    ['a prompt with files, which are not even read', { prompt: 'x'.repeat(501), files: ['a'] }],
  ])('refuses %s that does not fit next to the conversation', async (_, request) => {
    const history = [{ role: 'user', text: 'x'.repeat(500) }] as const;
    const capabilities = { maxInputCharacters: 1_000 };
    const { prepared, progress } = await prepare({ request: { ...request, history }, capabilities });
    expect(prepared).toEqual({
      failure: {
        kind: 'context-too-large',
        refusal: { measure: 'characters', actual: 1_001, limit: 1_000 },
        excerpt: '',
      },
      context: null,
    });
    expect(progress).toEqual([]);
  });

  it('accepts a prompt that just fits next to the conversation', async () => {
    const request = { prompt: 'x'.repeat(500), history: [{ role: 'user', text: 'x'.repeat(500) }] as const };
    const { prepared } = await prepare({ request, capabilities: { maxInputCharacters: 1_000 } });
    expect(prepared).toMatchObject({ failure: null, message: request.prompt });
  });

  it('lets a fault of the resolver be seen', async () => {
    const fault = new Error('broken');
    const resolver = { resolve: () => Promise.reject(fault) };
    await expect(prepare({ request: { files: ['a'] }, resolver })).rejects.toBe(fault);
  });
});
