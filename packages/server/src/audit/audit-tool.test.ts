import type { AskAnswer, AuditEntry, JobReport, WorkAccount } from '@gemini-mcp/core';
import { FakeClock } from '@gemini-mcp/core/testing';
import type { Tool, ToolContext, ToolDetail, ToolOutcome } from '@gemini-mcp/mcp';
import { describe, expect, it } from 'vitest';
import { auditJob, auditTool } from './audit-tool.ts';
import { auditWordsFor } from './audit-words.ts';

const key = 'AIzaSyA-made-up-key-for-a-test-of-logs';
const clock = new FakeClock();

const context: ToolContext = {
  signal: new AbortController().signal,
  progress: () => undefined,
  ask: async () => ({ type: 'cannot-ask', reason: 'client-cannot', text: '' }),
  clientName: 'codex',
  owner: 'alice',
};

const answer: AskAnswer = { text: 'Yes.', model: 'pro', attempts: [], usage: [], context: null };

const job: JobReport<ToolOutcome> = {
  ...{ handle: 'a1', title: '', state: 'running', startedAtMs: 0, endedAtMs: null, updatedAtMs: 0, status: '' },
  ...{ partialText: '', result: null },
};

const outcome = (detail: ToolDetail | undefined, isError = false): ToolOutcome => ({
  ...{ text: '', isError },
  ...(detail !== undefined && { detail }),
});

async function recorded(
  run: () => Promise<ToolOutcome>,
  { args = {}, isFull = false, name = 'gemini_query' } = {},
): Promise<readonly AuditEntry[]> {
  const entries: AuditEntry[] = [];
  const audit = { record: (entry: AuditEntry) => void entries.push(entry), close: async () => undefined };
  const tool: Tool = {
    ...{ name, title: '', description: '', input: { jsonSchema: { type: 'object' } } },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    run,
  };
  const words = auditWordsFor(isFull, ['the-secret-of-the-server']);
  await auditTool(tool, null, { audit, clock, words })
    .run(args, context)
    .catch(() => null);
  return entries;
}

it.each<[string, ToolOutcome, string | null]>([
  ['answered', outcome({ type: 'answer', answer, account: '' }), null],
  ['went-on', outcome({ type: 'job', job, goesOn: true }), 'a1'],
  ['done', outcome({ type: 'job', job }), 'a1'],
  ['not-allowed', outcome({ type: 'refused', reason: 'not-allowed' }, true), null],
  ['failed', outcome(undefined, true), null],
  ['done', outcome(undefined), null],
])('records that a call ended as %s', async (expected, given, handle) => {
  expect(await recorded(async () => given)).toMatchObject([
    {
      type: 'call',
      owner: 'alice',
      client: 'codex',
      server: null,
      tool: 'gemini_query',
      outcome: expected,
      job: handle,
    },
  ]);
});

it('records a call whose tool throws, and passes the error on', async () => {
  expect(await recorded(() => Promise.reject(new Error('A bug.')))).toMatchObject([{ outcome: 'internal-error' }]);
});

it('records how long a call took', async () => {
  const entries = await recorded(async () => {
    await clock.advance(1_500);
    return outcome(undefined);
  });
  expect(entries).toMatchObject([{ atMs: clock.now(), durationMs: 1_500 }]);
});

describe('arguments', () => {
  const args = { prompt: 'Is the-secret-of-the-server in this?', note: key, apiKey: 'short-key' };

  it('are a digest that depends on all but the key', async () => {
    const digests = await Promise.all(
      [args, { ...args, apiKey: 'another' }, { ...args, prompt: '' }].map(
        async (given) => (await recorded(async () => outcome(undefined), { args: given }))[0],
      ),
    );
    const [one, two, three] = digests.map((entry) => (entry?.type === 'call' ? entry.arguments : null));
    expect(one).toEqual({ sha256: expect.stringMatching(/^[0-9a-f]{64}$/), bytes: 119 });
    expect(two).toEqual(one);
    expect(three).not.toEqual(one);
  });

  it('are written out without secrets if the operator wants them', async () => {
    expect(await recorded(async () => outcome(undefined), { args, isFull: true })).toMatchObject([
      { arguments: { json: '{"prompt":"Is [redacted] in this?","note":"[redacted]","apiKey":"[redacted]"}' } },
    ]);
  });

  it('are a digest if they are very long', async () => {
    const long = { prompt: 'x'.repeat(40_000) };
    expect(await recorded(async () => outcome(undefined), { args: long, isFull: true })).toMatchObject([
      { arguments: { bytes: 40_013 } },
    ]);
  });

  it('of gemini_undo are written out, as they name the run', async () => {
    expect(await recorded(async () => outcome(undefined), { name: 'gemini_undo', args: { run: 'b2' } })).toMatchObject([
      { arguments: { json: '{"run":"b2"}' } },
    ]);
  });
});

const work: WorkAccount = {
  ...{ runId: 'b2', mode: 'full', durationMs: 1, steps: 3, tokens: 1, overBudget: null, notes: [] },
  changes: {
    files: [{ path: 'a.ts', kind: 'modified', diff: '-a\n+b\n', addedLines: 1, removedLines: 1 }],
    coverage: { commands: true },
    unkept: null,
  },
  commands: {
    first: [{ command: `curl -H ${key}`, end: { type: 'exited', exitCode: 1 }, durationMs: 5 }],
    count: 7,
  },
  calls: {
    first: [{ server: 'tracker', tool: 'get_issue', subject: '{"number":7}', summary: '', durationMs: 2 }],
    count: 1,
  },
  refusals: { first: [{ number: 1, tool: 'put_file', subject: '.env', code: 'protected', message: '' }], count: 1 },
  questions: [{ about: 'get_issue of tracker', reason: 'Each call needs it.', result: 'once', note: '' }],
};

it('records what a run did, without secrets, and how much more there was', async () => {
  const ended = await recorded(async () => outcome({ type: 'answer', answer, account: '', work }));
  expect(ended).toMatchObject([
    {
      work: {
        run: 'b2',
        mode: 'full',
        changed: [{ path: 'a.ts', kind: 'modified', diffSha256: expect.stringMatching(/^[0-9a-f]{64}$/) }],
        commands: [{ command: 'curl -H [redacted]', end: 'exit 1', durationMs: 5 }],
        calls: [{ server: 'tracker', tool: 'get_issue', arguments: { bytes: 12 }, outcome: 'done', durationMs: 2 }],
        refused: [{ tool: 'put_file', subject: '.env', code: 'protected' }],
        asked: [{ about: 'get_issue of tracker', reason: 'Each call needs it.', answer: 'once' }],
        unlisted: 6,
      },
    },
  ]);
});

it.each<[string, ToolOutcome | null]>([
  ['answered', outcome({ type: 'answer', answer, account: '', work })],
  ['cancelled', null],
])('records that a job ended as %s', (expected, result) => {
  const startedAtMs = clock.now() - 90_000;
  const entry = auditJob(
    { ...job, state: result === null ? 'cancelled' : 'succeeded', startedAtMs, result },
    {
      clock,
      words: auditWordsFor(false, []),
    },
  );
  expect(entry).toMatchObject({ type: 'job', job: 'a1', outcome: expected, durationMs: 90_000 });
  expect(entry.work?.run ?? null).toBe(result === null ? null : 'b2');
});
