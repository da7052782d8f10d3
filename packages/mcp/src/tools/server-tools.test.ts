import { AnswerRecords, type AskRequest, BackgroundJobs, type WorkRequest } from '@gemini-mcp/core';
import { FakeClock } from '@gemini-mcp/core/testing';
import { describe, expect, it } from 'vitest';
import { checkArguments } from '../input/check-arguments.ts';
import { cannotAsk } from '../questions/call-questions.ts';
import type { Tool, ToolContext, ToolOutcome } from '../surface/tool.ts';
import { createChatReplyTool } from './chat-reply-tool.ts';
import { createChatTool } from './chat-tool.ts';
import { createGeminiAgentTool } from './gemini-agent-tool.ts';
import { createGeminiQueryTool } from './gemini-query-tool.ts';

const clock = new FakeClock();
const answers = new AnswerRecords({ clock, createHandle: () => 'handle' });
const jobs = new BackgroundJobs<ToolOutcome>({ clock, createHandle: () => 'job', onError: () => undefined });
const timeout = { failure: { kind: 'timeout' }, attempts: [], partialText: '', context: null, timeoutMs: 1 } as const;
const runPolicy = { allowYolo: false, resolveDirectory: (name: string | null) => name ?? '/project' };

const context: ToolContext = {
  signal: new AbortController().signal,
  progress: () => undefined,
  ask: async () => cannotAsk('client-cannot'),
  clientName: null,
  owner: 'ada',
};

/** What a tool asks for, where the owner has the servers `notes` and `files`. */
class Asked {
  servers: AskRequest['servers'] | WorkRequest['servers'];
  calls = 0;

  readonly options = {
    clock,
    answers,
    jobs,
    runPolicy,
    modelChain: ['pro'],
    timeoutMs: 1_000,
    toolProviderFactory: {
      findMissing: async (owner: string, names: readonly string[]) => {
        const missing = names.find((name) => owner !== 'ada' || !['notes', 'files'].includes(name));
        return missing === undefined ? null : `There is no server ${missing}.`;
      },
    },
  };

  take(servers: AskRequest['servers'] | WorkRequest['servers']): void {
    this.calls += 1;
    this.servers = servers;
  }

  query(): Tool {
    const ask = async ({ servers }: AskRequest) => {
      this.take(servers);
      return { ok: false, failed: timeout } as const;
    };
    const asking = { askGemini: { ask }, askForJson: { ask }, askOpinions: { ask } };
    return createGeminiQueryTool({ ...this.options, ...asking, defaultTimeoutMs: 1_000 });
  }

  chat(): Tool {
    const start = async ({ servers }: Pick<AskRequest, 'servers'>) => {
      this.take(servers);
      return { ok: false, sessionId: null, failed: timeout } as const;
    };
    return createChatTool({ ...this.options, chat: { start } });
  }

  reply(): Tool {
    const reply = async ({ servers }: Pick<AskRequest, 'servers'>) => {
      this.take(servers);
      return { ok: false, sessionId: null, failed: timeout } as const;
    };
    return createChatReplyTool({ ...this.options, chat: { reply } });
  }

  agent(lendsServers = true): Tool {
    const budget = { maxSteps: 1, maxWrittenBytes: 1, maxTokens: 1 };
    const work = async ({ servers }: WorkRequest) => {
      this.take(servers);
      const refusal = { code: 'failed', message: 'No.', hint: '', retriable: false } as const;
      return { type: 'refused', refusal } as const;
    };
    const agent = { workOnTask: { work }, mode: 'full', allowsNetwork: false, budget, timeoutMs: 1_000 } as const;
    return createGeminiAgentTool({ ...this.options, agent: { ...agent, lendsServers } });
  }
}

async function call(tool: Tool, args: Readonly<Record<string, unknown>>): Promise<ToolOutcome> {
  const checked = await checkArguments(tool.input, args);
  if (!checked.isAccepted) {
    throw new Error(JSON.stringify(checked));
  }
  return await tool.run(checked.args, context);
}

const words = { prompt: 'Hi', task: 'Do it' };
const tools = [
  ['gemini_query', { prompt: 'Hi' }],
  ['chat', { prompt: 'Hi' }],
  ['chat-reply', { prompt: 'Hi' }],
  ['gemini_agent', { task: words.task }],
] as const;

function toolNamed(asked: Asked, name: (typeof tools)[number][0]): Tool {
  const makers = {
    gemini_query: () => asked.query(),
    chat: () => asked.chat(),
    'chat-reply': () => asked.reply(),
    gemini_agent: () => asked.agent(),
  };
  return makers[name]();
}

describe.each(tools)('%s', (name, args) => {
  it('gets no upstream tools if it names no server', async () => {
    const asked = new Asked();
    await call(toolNamed(asked, name), args);
    await call(toolNamed(asked, name), { ...args, servers: [] });
    expect([asked.calls, asked.servers]).toEqual([2, undefined]);
  });

  it('lends the servers that it names', async () => {
    const asked = new Asked();
    await call(toolNamed(asked, name), { ...args, servers: ['notes', 'files'] });
    expect(asked.servers).toMatchObject({ names: ['notes', 'files'] });
  });

  it('is not begun with a server that the owner does not have, and says so', async () => {
    const asked = new Asked();
    const outcome = await call(toolNamed(asked, name), { ...args, servers: ['notes', 'other'] });
    expect(outcome).toMatchObject({ isError: true, text: 'Not started: There is no server other.' });
    expect(asked.calls).toBe(0);
  });

  it('needs a scope for servers, and shows no argument for them', () => {
    const tool = toolNamed(new Asked(), name);
    expect(tool.scopes?.byArgument['servers']).toEqual(['gemini:servers']);
    expect(tool.unlisted).toContain('servers');
  });
});

describe('gemini_agent without the names of servers', () => {
  it.each([
    ['edit', true, { names: null }],
    ['full', true, { names: null }],
    ['plan', true, undefined],
    ['full', false, undefined],
  ] as const)('in mode %s, where all may be lent (%s), lends %o', async (mode, lendsServers, lent) => {
    const asked = new Asked();
    await call(asked.agent(lendsServers), { task: 'Do it', mode });
    if (lent === undefined) {
      expect(asked.servers).toBeUndefined();
      return;
    }
    expect(asked.servers).toMatchObject(lent);
  });

  it('gets no upstream tools if the list is empty', async () => {
    const asked = new Asked();
    await call(asked.agent(), { task: 'Do it', mode: 'full', servers: [] });
    expect(asked.servers).toBeUndefined();
  });
});

it.each([
  ['schema', { type: 'object', properties: { a: { type: 'string' } } }],
  ['opinions', 2],
])('gemini_query refuses servers together with %s', async (argument, value) => {
  const asked = new Asked();
  const outcome = await call(asked.query(), { prompt: 'Hi', [argument]: value, servers: ['notes'] });
  expect(outcome.text).toContain(`servers: cannot be combined with ${argument}`);
  expect(asked.calls).toBe(0);
});

it('names of unknown servers are refused, even if no upstream is available', async () => {
  const asked = new Asked();
  const tool = createGeminiQueryTool({
    ...asked.options,
    toolProviderFactory: undefined,
    defaultTimeoutMs: 1,
    askGemini: { ask: () => Promise.reject(new Error('asked')) },
    askForJson: { ask: () => Promise.reject(new Error('asked')) },
    askOpinions: { ask: () => Promise.reject(new Error('asked')) },
  });
  expect(await call(tool, { prompt: 'Hi', servers: ['notes'] })).toMatchObject({
    text: 'Not started: Other servers are not available here.',
  });
});
