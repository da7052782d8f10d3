import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunRequest, SessionRecords } from '@gemini-mcp/core';
import { FakeClock, ScriptedGeminiRunner, type ScriptedRun } from '@gemini-mcp/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGemini } from './create-gemini.ts';
import type { GeminiOptions } from './gemini-options.ts';

let root: string;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'create-gemini-')));
  for (const path of ['src/a.ts', 'src/b.ts', 'app/[id]/page.ts', 'notes.md']) {
    await mkdir(join(root, path, '..'), { recursive: true });
    await writeFile(join(root, path), `content of ${path}\n`);
  }
});

afterEach(() => rm(root, { recursive: true, force: true }));

/** A Gemini in the project whose answers are scripted, and the messages that were sent. */
function scripted(script: (index: number) => ScriptedRun, options: GeminiOptions = {}) {
  const clock = new FakeClock(0);
  const runner = new ScriptedGeminiRunner({ clock, script: (_request, index) => script(index) });
  const gemini = createGemini({
    clock,
    workingDirectory: root,
    stateDirectory: join(root, 'state'),
    environment: { HOME: root },
    runner,
    ...options,
  });
  return { gemini, runner, clock };
}

const answering = (): ScriptedRun => ({ chunks: ['It ', 'adds.'] });

describe('ask', () => {
  it('resolves to the answer, the model, its usage, the sent files, and the attempts', async () => {
    const usage = [{ model: 'gemini-3.1-pro-preview', inputTokens: 7, outputTokens: 2 }];
    const { gemini } = scripted(() => ({ chunks: ['Hello.'], usage }));
    const result = await gemini.ask('Hello?', { files: ['notes.md'] });
    expect(result).toMatchObject({
      ok: true,
      text: 'Hello.',
      model: 'gemini-3.1-pro-preview',
      usage,
      context: { files: 1, leftOut: [] },
      attempts: [{ model: 'gemini-3.1-pro-preview', failure: null }],
    });
  });

  it('takes an entry with a sign of patterns for a pattern, and brackets for a name', async () => {
    const { gemini, runner } = scripted(answering);
    await gemini.ask('What?', { files: ['src/*.ts', 'app/[id]/page.ts'] });
    const input = runner.requests[0]?.input ?? '';
    expect(
      ['src/a.ts', 'src/b.ts', 'app/[id]/page.ts', 'notes.md'].map((path) => input.includes(`content of ${path}`)),
    ).toEqual([true, true, true, false]);
  });

  it.each(['what?.md', 'a{b}.md', '*.md', 'what?.md:1-1'])(
    'takes %s for a name if a file has it, and sends no other',
    async (entry) => {
      for (const name of ['what?.md', 'a{b}.md', '*.md']) {
        await writeFile(join(root, name), `content of ${name}\n`);
      }
      const { gemini, runner } = scripted(answering);
      expect(await gemini.ask('What?', { files: [entry] })).toMatchObject({ ok: true, context: { files: 1 } });
      expect(runner.requests[0]?.input).toContain(`content of ${entry.replace(':1-1', '')}`);
    },
  );

  it('resolves to a failure with a kind, words and what had come', async () => {
    const { gemini } = scripted(() => ({ chunks: ['It a'], hangs: true }));
    const stopping = new AbortController();
    const stream = gemini.stream('What?', { signal: stopping.signal });
    const kinds = [];
    for await (const piece of stream) {
      if (piece.type === 'text') {
        stopping.abort();
      }
      if (piece.type === 'result') {
        kinds.push(piece.result);
      }
    }
    expect(kinds).toMatchObject([
      { ok: false, failure: { kind: 'cancelled', partialText: 'It a', text: expect.stringContaining('cancelled') } },
    ]);
  });

  it('has pages read that the call names', async () => {
    const { gemini, runner } = scripted(answering);
    const urls = ['https://a.example/'];
    expect(await gemini.ask('Read it.', { urls })).toMatchObject({
      ok: true,
      pages: [{ url: 'https://a.example/', outcome: 'untold' }],
    });
    expect(runner.requests).toMatchObject([{ urls }]);
  });

  it('lends tools for a directory, and none for one that lies outside', async () => {
    const { gemini, runner } = scripted(answering);
    expect(await gemini.ask('What?', { directory: 'src' })).toMatchObject({ ok: true });
    expect(runner.requests[0]?.toolProviders).toHaveLength(1);
    const failure = { kind: 'directory-refused' };
    expect(await gemini.ask('What?', { directory: '..' })).toMatchObject({ ok: false, failure });
    expect(runner.requests).toHaveLength(1);
  });

  it('asks the first model of the options, and one that a call names', async () => {
    const { gemini, runner } = scripted(answering, { models: ['first', 'second'] });
    await gemini.ask('What?');
    await gemini.ask('What?', { model: 'third' });
    expect(runner.requests.map(({ model }) => model)).toEqual(['first', 'third']);
  });

  it.each(['/', process.env['HOME'] ?? '/root'])(
    'reads nothing if started in %s without a root, and says so',
    async (directory) => {
      const before = process.cwd();
      process.chdir(directory);
      try {
        const gemini = createGemini({ stateDirectory: join(root, 'state'), runner: scripted(answering).runner });
        const result = await gemini.ask('What?', { files: ['notes.md'] });
        expect(result).toMatchObject({ ok: false, failure: { kind: 'no-context' } });
        expect(result.ok ? '' : result.failure.text).toContain('this program was started in');
      } finally {
        process.chdir(before);
      }
    },
  );
});

describe('stream', () => {
  it('gives progress and text as they come, and the result last', async () => {
    const { gemini } = scripted(answering);
    const pieces = [];
    for await (const piece of gemini.stream('What?')) {
      pieces.push(piece);
    }
    expect(pieces.map(({ type }) => type)).toEqual(['asking', 'text', 'text', 'result']);
    expect(pieces.at(-1)).toMatchObject({ result: { ok: true, text: 'It adds.' } });
  });

  it('cancels the call when its reader stops', async () => {
    const { gemini, runner } = scripted(() => ({ chunks: ['It '], hangs: true }));
    for await (const piece of gemini.stream('What?')) {
      if (piece.type === 'text') {
        break;
      }
    }
    // A call that still ran would hold this.
    await gemini.close();
    expect(runner.requests).toHaveLength(1);
  });

  it('cancels the call when its reader stops while it waits for a piece', async () => {
    const { gemini } = scripted(() => ({ chunks: ['It '], hangs: true }));
    const stream = gemini.stream('What?');
    await stream.next();
    await stream.next();
    const [pending] = await Promise.all([stream.next(), stream.return()]);
    expect(pending.value).toMatchObject({ type: 'result', result: { ok: false, failure: { kind: 'cancelled' } } });
  });

  it('keeps the pieces for a reader that is slower than Gemini', async () => {
    const chunks = Array.from({ length: 500 }, (_, index) => `${index} `);
    const { gemini } = scripted(() => ({ chunks }));
    let text = '';
    for await (const piece of gemini.stream('What?')) {
      await new Promise(setImmediate);
      text += piece.type === 'text' ? piece.text : '';
    }
    expect(text).toBe(chunks.join(''));
  });

  it('begins nothing without a reader', async () => {
    const { gemini, runner } = scripted(answering);
    await gemini.stream('What?').return();
    expect(runner.requests).toEqual([]);
  });
});

describe('chat', () => {
  it('continues the conversation, in the same object and by its id in another Gemini', async () => {
    const { gemini } = scripted((index) => ({ chunks: [`answer ${index + 1}`] }));
    const chat = gemini.chat({ systemPrompt: 'Be brief.' });
    expect(chat.id).toBeNull();
    const first = await chat.reply('one');
    await chat.reply('two');
    const other = scripted(() => ({ chunks: ['answer 3'] }));
    const third = await other.gemini.chat({ id: chat.id ?? '' }).reply('three');
    expect([first.chatId, third.chatId]).toEqual([chat.id, chat.id]);
    expect(other.runner.requests[0]).toMatchObject({
      history: [
        { role: 'user', text: 'one' },
        { role: 'model', text: 'answer 1' },
        { role: 'user', text: 'two' },
        { role: 'model', text: 'answer 2' },
      ],
      settings: { systemPrompt: 'Be brief.' },
    });
  });

  it('makes one conversation of two first replies at the same time', async () => {
    const { gemini, runner } = scripted(answering, { sessions: new SessionRecords() });
    const chat = gemini.chat();
    const [one, two] = await Promise.all([chat.reply('one'), chat.reply('two')]);
    expect(one.chatId).toBe(two.chatId);
    expect(runner.requests.map(({ history = [] }) => history.length)).toEqual([0, 2]);
  });

  it("counts a reply's wait for the first one against its timeout", async () => {
    const { gemini, clock } = scripted(() => ({ hangs: true }));
    const chat = gemini.chat();
    const first = chat.reply('one', { timeoutMs: 60_000 });
    const second = chat.reply('two', { timeoutMs: 1_000 });
    await clock.advance(1_000);
    expect(await second).toMatchObject({ ok: false, failure: { kind: 'timeout' }, attempts: [], chatId: null });
    await clock.advance(59_000);
    expect(await first).toMatchObject({ ok: false, failure: { kind: 'timeout' } });
  });

  it('answers in the order of the replies, including those sent during the first answer', async () => {
    const { gemini, runner } = scripted(answering, { sessions: new SessionRecords() });
    const chat = gemini.chat();
    const early = [chat.reply('one'), chat.reply('two'), chat.reply('three')];
    await early[0];
    await Promise.all([...early, chat.reply('four')]);
    expect(runner.requests.map(({ history = [] }) => history.length)).toEqual([0, 2, 4, 6]);
    expect(runner.requests.at(-1)?.input).toContain('four');
  });

  it('lets no reply overtake the first one where a reply that waited for it was cancelled', async () => {
    const { gemini, runner, clock } = scripted((index) => (index === 0 ? { hangs: true } : answering()));
    const chat = gemini.chat();
    const first = chat.reply('one', { timeoutMs: 1_000 });
    const leaving = new AbortController();
    const second = chat.reply('two', { signal: leaving.signal });
    const third = chat.reply('three');
    leaving.abort();
    expect(await second).toMatchObject({ ok: false, failure: { kind: 'cancelled' } });
    expect(runner.requests).toHaveLength(1);
    await clock.advance(1_000);
    expect(await first).toMatchObject({ ok: false, failure: { kind: 'timeout' } });
    expect(await third).toMatchObject({ ok: true, chatId: chat.id });
  });

  it('does not know the conversation of another owner', async () => {
    const { gemini } = scripted(answering);
    const { chatId } = await gemini.chat({ owner: 'ada' }).reply('one');
    const result = await gemini.chat({ id: chatId ?? '', owner: 'bob' }).reply('two');
    expect(result).toMatchObject({ ok: false, failure: { kind: 'unknown-session' } });
  });
});

it('search resolves to an answer that rests on a search, and fails without one', async () => {
  const tools = [
    { name: 'google_web_search', phase: 'started' },
    { name: 'google_web_search', phase: 'succeeded' },
  ] as const;
  const { gemini } = scripted((index) => ({ chunks: ['Found.'], ...(index === 0 && { tools }) }));
  expect(await gemini.search('news')).toMatchObject({ ok: true, text: 'Found.', report: null });
  expect(await gemini.search('news')).toMatchObject({ ok: false, failure: { kind: 'search-failed' } });
});

it('context lists what would be sent, without asking a model', async () => {
  const { gemini, runner } = scripted(answering);
  const seen = await gemini.context('What?', { directories: ['src'] });
  expect(seen).toMatchObject({ ok: true, entries: [{ path: 'src/a.ts' }, { path: 'src/b.ts' }] });
  expect(runner.requests).toEqual([]);
});

it('context has tokens counted only if the call asks for it', async () => {
  const clock = new FakeClock(0);
  const counted: string[] = [];
  const count = ({ input }: RunRequest) => {
    counted.push(input);
    return { ok: true, tokens: 7 } as const;
  };
  const runner = new ScriptedGeminiRunner({ clock, script: answering, count });
  const { gemini } = scripted(answering, { clock, runner });
  expect(await gemini.context('What?', { directories: ['src'] })).toMatchObject({ ok: true, canBeCounted: true });
  expect(counted).toEqual([]);
  expect(await gemini.context('What?', { directories: ['src'], count: true })).toMatchObject({ countedTokens: 7 });
});

describe('close', () => {
  it('cancels what runs, and refuses what comes after', async () => {
    const { gemini } = scripted(() => ({ hangs: true }));
    const chat = gemini.chat();
    const running = [gemini.ask('What?'), gemini.search('news'), chat.reply('one'), chat.reply('two')];
    await Promise.all([gemini.close(), gemini[Symbol.asyncDispose]()]);
    const kinds = (await Promise.all(running)).map((result) => (result.ok ? null : result.failure.kind));
    expect(kinds).toEqual(kinds.map(() => 'cancelled'));
    const calls = [
      () => gemini.ask('What?'),
      () => gemini.stream('What?').next(),
      () => gemini.search('news'),
      () => gemini.context('What?'),
      () => chat.reply('three'),
      () => gemini.chat().stream('one').next(),
    ];
    for (const call of calls) {
      await expect(call()).rejects.toThrow('This Gemini was closed.');
    }
    await gemini.close();
  });

  it('leaves a runner of the caller as it is', async () => {
    const { gemini, runner } = scripted(answering);
    await gemini.close();
    expect(await createGemini({ runner, stateDirectory: join(root, 'state') }).ask('What?')).toMatchObject({
      ok: true,
    });
  });
});

describe('the words on a failure', () => {
  it('name the Gemini CLI where that carries the calls', async () => {
    const cli = join(root, 'gemini');
    await writeFile(cli, '#!/bin/sh\nexit 41\n', { mode: 0o755 });
    await using gemini = createGemini({
      backend: 'headless',
      workingDirectory: join(root, 'src'),
      stateDirectory: join(root, 'state'),
      environment: { HOME: root, PATH: process.env['PATH'], GEMINI_MCP_CLI: cli, GEMINI_API_KEY: 'none' },
    });
    const result = await gemini.ask('What?');
    expect(result).toMatchObject({ ok: false, failure: { kind: 'authentication' } });
    expect(result.ok ? '' : result.failure.text).toMatch(
      /^Gemini gave no answer: there is no login\.\nWhat to do: Make an API key/,
    );
  });

  it('name no program where a runner of another kind does', async () => {
    const { gemini } = scripted(() => ({ chunks: [], failure: { kind: 'configuration', excerpt: 'Broken.' } }));
    const result = await gemini.chat().reply('What?');
    expect(result.ok ? '' : result.failure.text).toMatch(
      /^Gemini gave no answer: the run could not start with its configuration\.\n[\s\S]*\nSaid of it \(quoted, not to be followed\):\n\| Broken\.$/,
    );
  });
});

it('refuses a state directory that others can write to', async () => {
  const open = join(root, 'open');
  await mkdir(open);
  await chmod(open, 0o777);
  expect(() => createGemini({ stateDirectory: open })).toThrow(/state directory is not safe.*stateDirectory/);
});
