import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { ConversationTurn } from '@gemini-mcp/core';
import { type RecordedRequest, text } from '@gemini-mcp/port-contracts/offline-api';
import { describe, expect, it } from 'vitest';
import { carriedBy, type MessageLayout, messageIn } from '../../testing/carried-context.ts';
import { killProcessesOf, processesOf } from '../../testing/processes-of.ts';
import { useRealCliPlace } from '../../testing/real-cli-place.ts';
import { messageHeader } from '../prompt/prompt-run.ts';

const given = useRealCliPlace('warm', 'all');

const layout: MessageLayout = {
  isHeader: (said) => said.endsWith(messageHeader),
  messageIn: (said) => said,
  ownLines: [messageHeader],
};

/** A model that answers each message by itself in capitals. */
function answerLoudly(): void {
  given.api.reply((request) => text(messageIn(request, layout).toUpperCase()));
}

function turnsOf(...texts: readonly string[]): readonly ConversationTurn[] {
  return texts.map((said, index) => ({ role: index % 2 === 0 ? 'user' : 'model', text: said }));
}

/** The conversation of a request, including the message. */
function saidIn(request: RecordedRequest | undefined): readonly string[] {
  return request === undefined
    ? []
    : [...carriedBy(request, layout).history.map((turn) => turn.text), messageIn(request, layout)];
}

async function say(input: string, history: readonly ConversationTurn[] = []): Promise<void> {
  const { failure } = await given.place.run({ input, history, mayContinue: true });
  expect(failure).toBeNull();
}

/** What the faked API was sent in the order of the messages. */
function saidFor(input: string): readonly string[] {
  return saidIn(given.api.requests.findLast((request) => messageIn(request, layout) === input));
}

/** The files that sessions were restored from. */
function historiesOnDisk(): readonly string[] {
  return readdirSync(given.place.at('runs'), { recursive: true, encoding: 'utf8' }).filter((path) =>
    /session-2020[^/]*\.jsonl$/.test(path),
  );
}

describe('a conversation that goes on', () => {
  it('does so in its session, whose turns the model gets once each', async () => {
    answerLoudly();
    await say('one');
    await say('two', turnsOf('one', 'ONE'));
    await say('three', turnsOf('one', 'ONE', 'two', 'TWO'));
    expect(saidFor('three')).toEqual(['one', 'ONE', 'two', 'TWO', 'three']);
    expect(historiesOnDisk()).toEqual([]);
  });

  it('is restored from its history, also at a branch, several times at once', async () => {
    answerLoudly();
    await say('one');
    const history = turnsOf('one', 'ONE');
    await Promise.all(['left', 'right', 'middle'].map((input) => say(input, history)));
    await say('more', [...history, ...turnsOf('left', 'LEFT')]);
    await say('else', turnsOf('one', 'another answer'));
    expect(saidFor('left')).toEqual(['one', 'ONE', 'left']);
    expect(saidFor('right')).toEqual(['one', 'ONE', 'right']);
    expect(saidFor('middle')).toEqual(['one', 'ONE', 'middle']);
    expect(saidFor('more')).toEqual(['one', 'ONE', 'left', 'LEFT', 'more']);
    expect(saidFor('else')).toEqual(['one', 'another answer', 'else']);
  });

  it('belongs to one conversation: a question without history gets none', async () => {
    answerLoudly();
    await say('one');
    await say('one');
    expect(saidFor('one')).toEqual(['one']);
  });

  it.skipIf(process.platform !== 'linux')('loses no turn when its process is killed between two', async () => {
    answerLoudly();
    await say('one');
    await say('two', turnsOf('one', 'ONE'));
    killProcessesOf(given.place.root);
    await say('three', turnsOf('one', 'ONE', 'two', 'TWO'));
    expect(saidFor('three')).toEqual(['one', 'ONE', 'two', 'TWO', 'three']);
  });

  it('does not hold a turn that failed or was cut short', async () => {
    answerLoudly();
    await say('one');
    const controller = new AbortController();
    given.api.reply((request) => {
      controller.abort();
      return text([messageIn(request, layout), { text: 'never', after: new Promise(() => undefined) }]);
    });
    const history = turnsOf('one', 'ONE');
    await given.place.run({ input: 'lost', history, mayContinue: true }, controller.signal);
    answerLoudly();
    await say('two', history);
    expect(saidFor('two')).toEqual(['one', 'ONE', 'two']);
  });
});

it('a process whose model thinks for long says that it is there, as often as it is asked', async () => {
  const limits = { silenceMs: 50, answerMs: 2_500 };
  // Longer than a process that does not answer may live.
  given.api.reply(() => text([{ text: 'At last', after: delay(3_500) }]));
  const { failure } = await given.place.run({ limits });
  expect(failure).toBeNull();
});

describe('calls of different callers', () => {
  it('never share a key, and no key is on the disk or in a command line', async () => {
    answerLoudly();
    const keys = ['key-of-the-first', 'key-of-the-second'];
    const calls = [...keys, ...keys].map((apiKey) => given.place.run({ apiKey, input: apiKey }));
    await Promise.all(calls);
    await given.place.run({ input: 'the own key' });
    const sent = given.api.requests.slice(-5).map((request) => [messageIn(request, layout), request.apiKey]);
    expect(sent.filter(([input, key]) => input !== key)).toEqual([
      ['the own key', given.api.environment().GEMINI_API_KEY],
    ]);
    const files = readdirSync(given.place.at('runs'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(`${entry.parentPath}/${entry.name}`, 'latin1'));
    const commands = processesOf(given.place.root).map((pid) => readFileSync(`/proc/${pid}/cmdline`, 'latin1'));
    expect([...files, ...commands].filter((whole) => whole.includes('key-of-the'))).toEqual([]);
  });

  it('have the system prompt that each of them gave, or the usual one', async () => {
    answerLoudly();
    await Promise.all(
      ['Be terse.', 'Answer in verse.', null].map((systemPrompt) =>
        given.place.run({ systemPrompt, input: `${systemPrompt}` }),
      ),
    );
    const sent = new Map(
      given.api.requests.slice(-3).map((request) => [messageIn(request, layout), request.systemText]),
    );
    expect(sent.get('Be terse.')).toBe('Be terse.');
    expect(sent.get('Answer in verse.')).toBe('Answer in verse.');
    expect(sent.get('null')).not.toMatch(/terse|verse/);
  });
});
