import { AnswerRecords, type AskProgress, type AskRequest, type AskResult, BackgroundJobs } from '@gemini-mcp/core';
import { FakeClock } from '@gemini-mcp/core/testing';
import { describe, expect, it } from 'vitest';
import { prepareCall, runTool } from '../handlers/run-call.ts';
import { cannotAsk } from '../questions/call-questions.ts';
import type { Tool, ToolOutcome, ToolProgress } from '../surface/tool.ts';
import { createGeminiQueryTool, type GeminiQueryToolOptions } from './gemini-query-tool.ts';

const modelChain = ['gemini-3.1-pro-preview', 'house-model'];

const answered: AskResult = {
  ok: true,
  answer: { text: 'The answer.', model: 'gemini-3.1-pro-preview', attempts: [], usage: [], context: null },
};

function toolAsking(
  ask: GeminiQueryToolOptions['askGemini']['ask'],
  given: Partial<GeminiQueryToolOptions> = {},
): Tool {
  const clock = new FakeClock();
  const createHandle = (): string => 'handle';
  return createGeminiQueryTool({
    clock,
    modelChain,
    defaultTimeoutMs: 120_000,
    askGemini: { ask },
    askForJson: { ask: () => Promise.reject(new Error('No schema was given.')) },
    askOpinions: { ask: () => Promise.reject(new Error('One opinion is asked for.')) },
    answers: new AnswerRecords({ clock, createHandle }),
    jobs: new BackgroundJobs({ clock, createHandle, onError: () => undefined }),
    ...given,
  });
}

type Called = {
  readonly outcome: ToolOutcome;
  /** Null when the arguments were refused. */
  readonly request: AskRequest | null;
  readonly told: readonly ToolProgress[];
  readonly signals: readonly AbortSignal[];
};

async function call(
  args: unknown,
  result = answered,
  progress: readonly AskProgress[] = [],
  given: Partial<GeminiQueryToolOptions> = {},
): Promise<Called> {
  const requests: AskRequest[] = [];
  const signals: AbortSignal[] = [];
  const told: ToolProgress[] = [];
  const tool = toolAsking((request, onProgress, signal) => {
    requests.push(request);
    signals.push(signal);
    progress.forEach(onProgress);
    return Promise.resolve(result);
  }, given);
  const { signal } = new AbortController();
  const context = {
    signal,
    ask: async () => cannotAsk('transport-cannot'),
    progress: (news: ToolProgress) => void told.push(news),
    clientName: null,
    owner: 'alice',
  };
  const outcome = await runTool(tool, args, context, ({ error }) => {
    throw error;
  });
  return { outcome, request: requests[0] ?? null, told, signals };
}

describe('gemini_query', () => {
  it('has a description under 2,048 characters', () => {
    const tool = toolAsking(() => Promise.resolve(answered));
    expect(tool.description.length).toBeLessThan(2_048);
  });

  it('asks with the defaults of the schema', async () => {
    const { request } = await call({ prompt: ' What is\r\nthis? ' });
    expect(request).toEqual({
      owner: 'alice',
      origin: { tool: 'gemini_query', clientName: null },
      prompt: ' What is\r\nthis? ',
      files: [],
      globPatterns: [],
      directories: [],
      model: null,
      timeoutMs: 120_000,
      maxFiles: 2_000,
      maxBytes: 10_000_000,
    });
  });

  it('asks within what the operator allows', async () => {
    const { request } = await call({ prompt: 'Why?' }, answered, [], { maxFiles: 3, maxBytes: 4, maxMediaBytes: 5 });
    expect(request).toMatchObject({ maxFiles: 3, maxBytes: 4, maxMediaBytes: 5 });
  });

  it('passes every argument on', async () => {
    const { request, signals } = await call({
      prompt: 'Compare',
      files: ['a.ts', '/b.ts'],
      glob_patterns: ['src/**/*.ts'],
      directories: ['docs', '.'],
      model: 'gemini-3.8-flash',
      timeout: 3_600,
      max_files: 1,
      max_bytes: 5,
    });
    expect(request).toEqual({
      origin: { tool: 'gemini_query', clientName: null },
      owner: 'alice',
      prompt: 'Compare',
      files: ['a.ts', '/b.ts'],
      globPatterns: ['src/**/*.ts'],
      directories: ['docs', '.'],
      model: 'gemini-3.8-flash',
      timeoutMs: 3_600_000,
      maxFiles: 1,
      maxBytes: 5,
    });
    expect(signals[0]?.aborted).toBe(false);
  });

  it('presents an answer', async () => {
    const { outcome } = await call({ prompt: 'x' });
    expect(outcome).toMatchObject({ answer: 'The answer.', text: '', isError: false });
  });

  it('presents a failure as an error with the next step', async () => {
    const failed = {
      failure: { kind: 'timeout' },
      attempts: [],
      partialText: 'So far',
      context: null,
      timeoutMs: 120_000,
    } as const;
    const { outcome } = await call({ prompt: 'x' }, { ok: false, failed });
    expect(outcome.isError).toBe(true);
    expect(outcome.text).toContain('no answer in time (120 seconds)');
    expect(outcome.text).toContain('So far');
  });

  it('reports progress', async () => {
    const { told } = await call({ prompt: 'x' }, answered, [
      { type: 'reading-context' },
      { type: 'tool', name: 'x', phase: 'failed' },
      { type: 'text', text: 'The' },
    ]);
    expect(told).toEqual([
      { type: 'status', message: 'Reading files' },
      { type: 'text', text: 'The' },
    ]);
  });
});

describe('gemini_query refuses before anything is done', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['no prompt', { prompt: undefined }, 'prompt: missing'],
    ['an empty prompt', { prompt: '' }, 'prompt: at least 1 character'],
    ['a blank prompt', { prompt: ' \n\u3000' }, 'prompt: must not be blank'],
    ['a prompt beyond 1,000,000 characters', { prompt: 'x'.repeat(1_000_001) }, 'prompt: at most 1000000 characters'],
    ['NUL in the prompt', { prompt: 'a\0b' }, 'prompt: must not contain NUL'],
    ['half of a surrogate pair in the prompt', { prompt: 'a\udc00b' }, 'prompt: must not contain NUL or half'],
    ['NUL in a path', { files: ['a', 'b\0c'] }, 'files[1]: must not contain NUL'],
    ['an empty path', { directories: [''] }, 'directories[0]: at least 1 character'],
    ['a path beyond 4,096 characters', { files: ['x'.repeat(4_097)] }, 'files[0]: at most 4096 characters'],
    ['a path that is no string', { glob_patterns: [{}] }, 'glob_patterns[0]: must be a string, not an object'],
    [
      '1,000 files with names of 4,000 characters',
      { files: Array(1_000).fill('x'.repeat(4_000)) },
      'files: must have at most 300000 characters all together',
    ],
    ['100,000 files', { files: Array(100_000).fill('x.txt') }, 'files: at most 1000 items, not 100000'],
    ['101 patterns', { glob_patterns: Array(101).fill('*') }, 'glob_patterns: at most 100 items'],
    ['101 directories', { directories: Array(101).fill('.') }, 'directories: at most 100 items'],
    ['a flag as model', { model: '--yolo' }, 'model: must be a model name'],
    ['a second line in the model', { model: 'gemini-3.1-pro-preview\n--yolo' }, 'model: must be a model name'],
    ['a line end after the model', { model: 'gemini-3.1-pro-preview\n' }, 'model: must be a model name'],
    ['a path as model', { model: 'a/../b' }, 'model: must be a model name'],
    ['a command as model', { model: '$(id)' }, 'model: must be a model name'],
    ['a model name of 65 characters', { model: `gemini-${'x'.repeat(58)}` }, 'model: must be a model name'],
    [
      'the model auto',
      { model: 'auto' },
      'model: must begin with gemini- or gemma- or be one of gemini-3.1-pro-preview, house-model',
    ],
    ['a model of another maker', { model: 'gpt-5' }, 'model: must begin with gemini- or gemma-'],
    ['no time', { timeout: 0 }, 'timeout: at least 1'],
    ['more than an hour', { timeout: 3_601 }, 'timeout: at most 3600'],
    ['a part of a second', { timeout: 1.5 }, 'timeout: must be an integer, not 1.5'],
    ['more than 2,000 files', { max_files: 2_001 }, 'max_files: at most 2000'],
    ['more than 10,000,000 bytes', { max_bytes: 10_000_001 }, 'max_bytes: at most 10000000'],
    ['an unknown argument', { temperature: 1 }, '"temperature": no such argument'],
  ])('%s', async (_, args, expected) => {
    const { outcome, request } = await call({ prompt: 'x', ...args });
    expect(outcome.isError).toBe(true);
    expect(outcome.text).toContain(expected);
    expect(outcome.text.length).toBeLessThan(600);
    expect(request).toBeNull();
  });

  it.each(['gemini-9-ultra', 'gemma-4', 'house-model', `gemini-${'x'.repeat(57)}`])(
    'but not the model %s',
    async (model) => {
      const { request } = await call({ prompt: 'x', model });
      expect(request?.model).toBe(model);
    },
  );

  it('the model auto even where the configuration names it', async () => {
    const tool = toolAsking(() => Promise.resolve(answered), { modelChain: ['auto'] });
    expect(await prepareCall(tool, { prompt: 'x', model: 'auto' }, () => undefined)).toMatchObject({
      isAccepted: false,
    });
  });
});
