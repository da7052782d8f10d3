import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type AcpProcessScript,
  type AcpStep,
  acpEcho,
  acpFileRequest,
  acpLoginRequired,
  acpPermissionRequest,
  acpUnknownFlag,
  readAcpProcesses,
  whenAcpRecorded,
} from '@gemini-mcp/fake-gemini';
import { afterEach, describe, expect, it } from 'vitest';
import type { PoolEndReason } from './pool/pool-report.ts';
import {
  apiKey,
  createFakeWarmPlace,
  type FakeWarmPlace,
  type FakeWarmPlaceOptions,
} from './testing/fake-warm-place.ts';

/** Long enough that a healthy fake is never taken for a hanging one. */
const patience = { silenceMs: 100, answerMs: 2_500, sessionTimeoutMs: 2_500 };

const beginning: AcpStep = { do: 'say', chunks: ['The beginning'] };
const thought = { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'x'.repeat(10_000) } };
const reply = { jsonrpc: '2.0', id: 99_999, result: {} };

let place: FakeWarmPlace | undefined;

async function create(options: FakeWarmPlaceOptions): Promise<FakeWarmPlace> {
  place = await createFakeWarmPlace(options);
  return place;
}

/** With a process that is there before the first call. */
async function createReady(options: FakeWarmPlaceOptions): Promise<FakeWarmPlace> {
  const created = await create(options);
  await created.runner.warmUp({ model: 'gemini-2.5-pro' }, new AbortController().signal);
  return created;
}

afterEach(async () => {
  const left = await place?.dispose();
  place = undefined;
  expect(left).toEqual([]);
});

function promptsOf(...steps: readonly AcpStep[]): AcpProcessScript {
  return { prompts: [steps] };
}

type Fault = {
  readonly name: string;
  /** Of the first process; those after it do nothing wrong. */
  readonly script: AcpProcessScript;
  readonly reason: PoolEndReason;
  readonly detail: RegExp;
  readonly input?: string;
};

const faultsBeforeText: readonly Fault[] = [
  {
    name: 'does not open a session',
    script: { newSessions: [[{ do: 'hang' }]] },
    reason: 'fault',
    detail: /did not open a session in time/,
  },
  {
    name: 'is busy with something else for ever',
    script: promptsOf({ do: 'block' }),
    reason: 'fault',
    detail: /does not answer any more/,
  },
  {
    name: 'does not read its input',
    script: { newSessions: [[{ do: 'answer' }, { do: 'stop-reading' }, { do: 'hang' }]] },
    reason: 'fault',
    detail: /does not answer any more/,
    input: 'ä'.repeat(2_000_000),
  },
  {
    name: 'floods with invalid protocol lines',
    script: promptsOf({ do: 'flood', to: 'stdout', bytes: 50_000_000, pattern: 'no protocol\n' }),
    reason: 'fault',
    detail: /wrote output that is not part of the protocol/,
  },
  {
    name: 'writes bytes at random',
    script: promptsOf({ do: 'random', to: 'stdout', bytes: 20_000_000 }),
    reason: 'fault',
    detail: /wrote output that is not part of the protocol/,
  },
  {
    name: 'writes a line without end',
    script: promptsOf({ do: 'flood', to: 'stdout', bytes: 400_000_000, pattern: 'x'.repeat(65_536) }),
    reason: 'fault',
    // Whether the end of the flood or the limit comes first is the machine's affair.
    detail: /wrote (?:a message that is too long|what is no message of the protocol)/,
  },
  {
    name: 'asks whether it may',
    script: promptsOf(acpPermissionRequest('rm -rf /')),
    reason: 'fault',
    detail: /asked for session\/request_permission/,
  },
  {
    name: 'asks for a file',
    script: promptsOf(acpFileRequest('/etc/passwd')),
    reason: 'fault',
    detail: /asked for fs\/read_text_file/,
  },
  {
    name: 'answers a request that was never made',
    script: promptsOf({ do: 'send', message: reply }, { do: 'hang' }),
    reason: 'fault',
    detail: /wrote output that is not part of the protocol/,
  },
  {
    name: 'crashes',
    script: promptsOf({ do: 'kill-self', signal: 'SIGSEGV' }),
    reason: 'crashed',
    detail: /ended by itself/,
  },
  { name: 'ends', script: promptsOf({ do: 'exit', code: 0 }), reason: 'crashed', detail: /ended by itself/ },
  {
    name: 'crashes when it is to open a session',
    script: { newSessions: [[{ do: 'kill-self', signal: 'SIGKILL' }]] },
    reason: 'crashed',
    detail: /ended before it had a session/,
  },
  {
    name: 'leaves a child that holds its pipes',
    script: promptsOf(
      { do: 'spawn', isDetached: true, holdsOutput: true, ignoresSignals: true },
      { do: 'exit', code: 1 },
    ),
    reason: 'crashed',
    detail: /ended by itself/,
  },
];

describe('a process that', () => {
  it.each(faultsBeforeText)('$name before its first word', async ({ script, reason, detail, input = 'Hi' }) => {
    const made = await create({ processes: [script, {}], limits: patience });
    const { ask, endReasons, details, directory, whenReported } = made;
    expect(await ask({ input })).toMatchObject({ failure: null, text: acpEcho(input) });
    expect(endReasons()[0]).toBe(reason);
    // Where the call may be why the first one hung, it had the second one for itself.
    const isSuspect = detail.source.includes('answer any more');
    const ends = isSuspect ? [reason, 'alone'] : [reason];
    await whenReported((report) => report.type === 'ended' && report.reason === ends.at(-1));
    expect(endReasons()).toEqual(ends);
    expect(details()).toContainEqual(expect.stringMatching(detail));
    expect(await ask({ input: 'Again' })).toMatchObject({ failure: null, text: acpEcho('Again') });
    const started = await readAcpProcesses(directory);
    expect(started).toHaveLength(ends.length + 1);
    expect(made.processes()).toEqual([started.at(-1)?.pid]);
  });

  it.each<Fault>([
    {
      name: 'is busy with something else for ever',
      script: promptsOf(beginning, { do: 'wait', durationMs: 10 }, { do: 'block' }),
      reason: 'fault',
      detail: /does not answer any more/,
    },
    {
      name: 'asks whether it may',
      script: promptsOf(beginning, acpPermissionRequest('ls')),
      reason: 'fault',
      detail: /asked for session\/request_permission/,
    },
    {
      name: 'answers a request that was never made',
      script: promptsOf(beginning, { do: 'send', message: reply }, { do: 'hang' }),
      reason: 'fault',
      detail: /wrote output that is not part of the protocol/,
    },
    {
      name: 'crashes',
      script: promptsOf(beginning, { do: 'wait', durationMs: 100 }, { do: 'kill-self', signal: 'SIGKILL' }),
      reason: 'crashed',
      detail: /^$/,
    },
  ])('$name in the middle of an answer', async ({ script, reason, detail }) => {
    const { ask, endReasons, details } = await create({ processes: [script, {}], limits: patience });
    const failure = detail.source.includes('answer any more') ? 'hung' : 'crashed';
    expect(await ask()).toMatchObject({ failure, text: 'The beginning' });
    expect(endReasons()).toEqual([reason]);
    expect(details()).toContainEqual(expect.stringMatching(detail));
    expect(await ask({ input: 'Again' })).toMatchObject({ failure: null, text: acpEcho('Again') });
  });

  it('goes wrong each time fails a call after the second time', async () => {
    const { ask, reports } = await create({ processes: [promptsOf(acpFileRequest('/etc/passwd'))], limits: patience });
    const { failure, end } = await ask();
    expect(failure).toBe('crashed');
    expect(end).toMatchObject({ failure: { excerpt: expect.stringContaining('asked for fs/read_text_file') } });
    expect(reports.filter(({ type }) => type === 'retried')).toHaveLength(1);
    expect(reports.filter(({ type }) => type === 'started')).toHaveLength(2);
  });

  it('goes wrong takes with it the calls that had no word yet, and these are carried again', async () => {
    const script = promptsOf({
      do: 'by-text',
      cases: [
        { contains: 'told', steps: [beginning, { do: 'hang' }] },
        { contains: 'untold', steps: [{ do: 'hang' }] },
      ],
      otherwise: [
        { do: 'await-file', file: 'now' },
        { do: 'kill-self', signal: 'SIGKILL' },
      ],
    });
    const told = 'To be told';
    const { ask, directory } = await create({ processes: [script, {}] });
    let tellBegun = (): void => undefined;
    const begun = new Promise<void>((resolve) => {
      tellBegun = resolve;
    });
    const calls = [ask({ input: told, onEvent: () => tellBegun() }), ask({ input: 'Nothing' })];
    await begun;
    calls.push(ask({ input: 'Fatal' }));
    await whenAcpRecorded(directory, ([first]) => first?.prompts.length === 3);
    await writeFile(join(directory, 'now'), '');
    const [first, second, third] = await Promise.all(calls);
    expect(first).toMatchObject({ failure: 'crashed', text: 'The beginning' });
    expect(second).toMatchObject({ failure: null, text: acpEcho('Nothing') });
    expect(third).toMatchObject({ failure: null, text: acpEcho('Fatal') });
  });
});

describe('a process that does not start', () => {
  it.each<[string, AcpProcessScript, RegExp]>([
    ['hangs', { initialize: [{ do: 'hang' }] }, /did not come up within 3 s/],
    ['is busy for ever', { start: [{ do: 'block' }] }, /did not come up within 3 s/],
    ['ends at once', { start: [{ do: 'exit', code: 3 }] }, /ended with 3/],
    ['crashes', { start: [{ do: 'kill-self', signal: 'SIGKILL' }] }, /ended by SIGKILL|ended with 137/],
    ['does not know the mode', acpUnknownFlag(), /Unknown argument: acp$/],
    [
      'refuses',
      { initialize: [{ do: 'error', code: -32_603, message: `Not ${apiKey}` }] },
      /refused to start sessions: Not /,
    ],
    ['has no sessions', { initialize: [{ do: 'answer', result: { agentCapabilities: {} } }] }, /offers no sessions/],
  ])('%s', async (_, script, detail) => {
    const limits = { startTimeoutMs: 3_000 };
    const { ask, endReasons, leftovers, directory } = await create({ processes: [script, {}], limits });
    const { failure, end } = await ask();
    expect(failure).toBe('runner-unavailable');
    expect(end).toMatchObject({ failure: { excerpt: expect.stringMatching(detail) } });
    expect(JSON.stringify(end)).not.toContain(apiKey);
    expect(endReasons()).toEqual(['start-failed']);
    expect(await leftovers()).toEqual([]);
    expect(await ask({ input: 'Again' })).toMatchObject({ failure: null, text: acpEcho('Again') });
    expect(await readAcpProcesses(directory)).toHaveLength(2);
  });
});

describe('a healthy process', () => {
  it('that thinks for longer than any silence is left alone', async () => {
    const { ask, endReasons, directory } = await create({
      processes: [promptsOf({ do: 'wait', durationMs: 700 }, { do: 'echo' })],
      limits: patience,
    });
    expect(await ask()).toMatchObject({ failure: null, text: acpEcho('Hi') });
    const [process] = await readAcpProcesses(directory);
    expect(process?.unknownMethods).toContain('_gemini-mcp/ping');
    expect(endReasons()).toEqual([]);
  });

  it('carries on after a call that was not answered in time', async () => {
    const { ask, endReasons } = await createReady({ processes: [{ prompts: [[{ do: 'hang' }], [{ do: 'echo' }]] }] });
    expect(await ask({ timeoutMs: 500 })).toMatchObject({ failure: 'timeout' });
    expect(await ask({ input: 'Again' })).toMatchObject({ failure: null, text: acpEcho('Again') });
    expect(endReasons()).toEqual([]);
  });

  it('may write a few lines outside the protocol', async () => {
    const script = promptsOf({ do: 'write', to: 'stdout', text: '{"jsonrpc": "2.0", "id": \n[]\n' }, { do: 'echo' });
    const { ask, endReasons } = await create({ processes: [script] });
    expect(await ask()).toMatchObject({ failure: null, text: acpEcho('Hi') });
    expect(endReasons()).toEqual([]);
  });

  it('that needs a login fails each call with this reason', async () => {
    const { ask } = await create({ processes: [acpLoginRequired()], limits: { spareSessions: 2 } });
    expect(await ask()).toMatchObject({ failure: 'authentication' });
    expect(await ask()).toMatchObject({ failure: 'authentication' });
  });
});

describe('a process with a fault that does not harm the call', () => {
  it('is replaced when it answers twice', async () => {
    const { ask, whenReported } = await create({
      processes: [promptsOf({ do: 'echo' }, { do: 'answer' }, { do: 'answer' }), {}],
    });
    expect(await ask()).toMatchObject({ failure: null, text: acpEcho('Hi') });
    expect(await whenReported(({ type }) => type === 'ended')).toMatchObject({ reason: 'fault' });
    expect(await ask({ input: 'Again' })).toMatchObject({ failure: null, text: acpEcho('Again') });
  });

  it('is ended when it does not stop a cancelled prompt', async () => {
    const { ask, endReasons, details } = await createReady({
      processes: [promptsOf({ do: 'ignore-cancel' }, { do: 'hang' }), {}],
      limits: { answerMs: 300 },
    });
    expect(await ask({ timeoutMs: 1_000 })).toMatchObject({ failure: 'timeout' });
    expect(endReasons()).toEqual(['fault']);
    expect(details()).toEqual(['did not answer a cancel']);
    expect(await ask({ input: 'Again' })).toMatchObject({ failure: null, text: acpEcho('Again') });
  });

  it('is held to the deadline when it floods with updates', async () => {
    const flood: AcpStep = { do: 'update', update: thought, times: 3_000 };
    const { ask } = await createReady({ processes: [{ prompts: [[flood, { do: 'hang' }], [{ do: 'echo' }]] }] });
    expect(await ask({ timeoutMs: 3_000 })).toMatchObject({ failure: 'timeout', text: '' });
    expect(await ask({ input: 'Again' })).toMatchObject({ failure: null, text: acpEcho('Again') });
  });

  it('is replaced when it ends between calls', async () => {
    const script = promptsOf({ do: 'echo' }, { do: 'answer' }, { do: 'kill-self', signal: 'SIGKILL' });
    const { ask, endReasons } = await create({ processes: [script, {}] });
    expect(await ask()).toMatchObject({ failure: null });
    // At once: it may be there still, or be ending, or have ended.
    expect(await ask({ input: 'Again' })).toMatchObject({ failure: null, text: acpEcho('Again') });
    expect(endReasons()).toEqual(['crashed']);
  });

  it('is replaced when it crashes after some sessions', async () => {
    const { ask, endReasons } = await create({
      processes: [{ newSessions: [[], [], [{ do: 'kill-self', signal: 'SIGKILL' }]] }, {}],
    });
    for (const input of ['one', 'two', 'three', 'four']) {
      expect(await ask({ input })).toMatchObject({ failure: null, text: acpEcho(input) });
    }
    expect(endReasons()).toEqual(['crashed']);
  });

  it('is ended when it hangs over a session that no call waits for', async () => {
    const { ask, whenReported } = await create({
      processes: [{ newSessions: [[], [{ do: 'hang' }]] }, {}],
      limits: { ...patience, spareSessions: 1 },
    });
    expect(await ask()).toMatchObject({ failure: null });
    expect(await whenReported(({ type }) => type === 'ended')).toMatchObject({ reason: 'fault' });
    expect(await ask({ input: 'Again' })).toMatchObject({ failure: null, text: acpEcho('Again') });
  });
});
