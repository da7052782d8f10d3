import { describe, expect, it } from 'vitest';
import type { AskResult } from '../answers/ask-result.ts';
import { type AskRequest, type OnProgress, withoutFiles } from '../ask-gemini/ask-request.ts';
import { attachTools } from '../ask-gemini/attach-tools.ts';
import type { ApprovalAnswer } from '../ports/approver.ts';
import { plainRunSettings, type RunSettings } from '../ports/gemini-runner/run-settings.ts';
import type { RequestedServers, ToolProviderFactory } from '../ports/upstreams/tool-provider-factory.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { approvalsInMemory } from '../testing/records-in-memory.ts';
import { ScriptedApprover } from '../testing/scripted-approver.ts';
import { ScriptedToolProvider } from '../testing/scripted-tool-provider.ts';
import { ServerTools } from './server-tools.ts';

const { signal } = new AbortController();
const plain = { ...withoutFiles, prompt: 'Hi', owner: 'ada', model: null, timeoutMs: 60_000 };
const answered: AskResult = {
  ok: true,
  answer: { text: 'Done.', model: 'pro', attempts: [], usage: [], context: null, notices: ['One thing.'] },
};
const failed: AskResult = {
  ok: false,
  failed: { failure: { kind: 'timeout' }, attempts: [], partialText: '', context: null, timeoutMs: 1 },
};
const call = { server: 'notes', digest: 'd', tool: 'delete', arguments: { id: 7 }, warnings: [] };

type Act = (requested: RequestedServers) => Promise<void>;

/** Gemini, which uses its tools, and the results. */
function open({
  act = async () => undefined,
  result = answered,
  answer = 'once',
  maxSteps = 50,
}: Partial<Opened> = {}) {
  const clock = new FakeClock();
  const approver = new ScriptedApprover({ clock, answer: () => ({ type: 'answered', answer }) });
  const requested: RequestedServers[] = [];
  const asked: AskRequest[] = [];
  const told: string[] = [];
  const toolProviderFactory: ToolProviderFactory = {
    findMissing: async () => null,
    create: async (servers) => {
      requested.push(servers);
      return new ScriptedToolProvider({ tools: [] });
    },
  };
  const servers = new ServerTools({
    clock,
    toolProviderFactory,
    approvals: approvalsInMemory(),
    offersLasting: true,
    budget: { maxSteps, maxWrittenBytes: 0, maxTokens: 1_000_000 },
  });
  const onProgress: OnProgress = (progress) => progress.type === 'status' && told.push(progress.text);
  const ask = async (fields: Partial<AskRequest> = {}): Promise<AskResult> => {
    const given = { ...plain, servers: { names: ['notes'], approver, questions: null }, ...fields };
    const toolSession = await attachTools([servers], { request: given, onProgress }, signal);
    if ('kind' in toolSession) {
      throw new Error(toolSession.kind);
    }
    asked.push(toolSession.request);
    await Promise.all(requested.map(act));
    const cancelled: AskResult = { ok: false, failed: { ...failedBy, failure: { kind: 'cancelled' } } };
    const answer = toolSession.tell(toolSession.signal.aborted ? cancelled : result);
    await toolSession.release();
    return answer;
  };
  return { ask, approver, requested, asked, told };
}

type Opened = {
  readonly act: Act;
  readonly result: AskResult;
  readonly answer: ApprovalAnswer;
  readonly maxSteps: number;
};

const { failed: failedBy } = failed;

/** A call, as a source makes it. */
const calling: Act = async ({ log, askUser }) => {
  const step = log.begin({
    tool: 'notes__delete',
    subject: '{"id":7}',
    changes: true,
    takesLong: true,
    writtenBytes: 0,
    server: { server: 'notes', tool: 'delete' },
  });
  if (!('code' in step)) {
    const refusal = await askUser({ type: 'tool', call, reason: 'It is asked about.', timeMs: 0 }, signal);
    step.end(refusal === null ? { type: 'done', summary: '' } : { type: 'refused', refusal });
  }
};

describe('a question with tools of other servers', () => {
  it('is asked with their tools, and reports calls and questions', async () => {
    const { ask, requested, asked, told, approver } = open({ act: calling });
    expect(await ask()).toMatchObject({
      ok: true,
      answer: {
        text: 'Done.',
        notices: [
          'One thing.',
          'Called delete of notes {"id":7}: done after 0.0 s',
          'Asked about delete of notes: allowed once',
        ],
      },
    });
    expect(requested).toMatchObject([{ owner: 'ada', names: ['notes'] }]);
    expect(asked[0]?.toolProviders).toHaveLength(1);
    expect(asked[0]).not.toHaveProperty('servers');
    expect(approver.questions).toHaveLength(1);
    expect(told).toEqual([
      'Step 1: notes__delete {"id":7} …',
      'Asking the user about: delete of notes',
      'Step 1: notes__delete {"id":7} → 0.0 s',
    ]);
  });

  it('passes its trace on to their calls', async () => {
    const trace = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', baggage: 'a=b' };
    const { ask, requested } = open();
    await ask({ trace });
    expect(requested).toMatchObject([{ trace }]);
  });

  it('never goes by trust alone, for it is to change nothing', async () => {
    const { ask, requested } = open();
    await ask();
    expect(requested.map(({ countsTrust }) => countsTrust)).toEqual([false]);
  });

  it('that fails reports earlier calls, also to the next attempt', async () => {
    const { ask, asked } = open({ act: calling, result: failed });
    expect(await ask()).toMatchObject({
      ok: false,
      failed: { notices: [expect.stringContaining('Called delete of notes'), expect.any(String)] },
    });
    expect(asked[0]?.doneBefore?.()).toContain('notes__delete {"id":7}');
  });

  it('reports refused calls', async () => {
    const { ask } = open({ act: calling, answer: 'no' });
    expect(await ask()).toMatchObject({
      answer: {
        notices: [
          'One thing.',
          'Refused notes__delete {"id":7}: denied-by-user. The user was asked, and said no.',
          'Asked about delete of notes: not allowed',
        ],
      },
    });
  });

  it('is ended when its budget is used up and Gemini calls on', async () => {
    const act: Act = async (requested) => {
      for (let times = 0; times < 12; times += 1) {
        await calling(requested);
      }
    };
    const { ask } = open({ act, maxSteps: 2 });
    expect(await ask()).toMatchObject({
      ok: false,
      failed: {
        failure: { kind: 'turn-limit' },
        notices: expect.arrayContaining(['The run has used up the 2 steps of its budget.']),
      },
    });
  });

  it('keeps its settings and the directory that it looks into', async () => {
    const { ask, asked } = open();
    const settings: RunSettings = { ...plainRunSettings, tools: 'web-search' };
    const directory = { path: '/project', isOptional: false };
    expect(await ask({ settings, directory })).toEqual(answered);
    expect(asked[0]).toMatchObject({ settings, directory });
  });

  it('is an ordinary one if it names no servers', async () => {
    const { ask, requested, asked, approver } = open();
    expect(await ask({ servers: { names: [], approver, questions: null } })).toEqual(answered);
    expect(requested).toEqual([]);
    expect(asked[0]?.toolProviders).toBeUndefined();
  });
});
