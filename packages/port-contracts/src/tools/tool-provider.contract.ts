import type { ToolCall, ToolProvider, ToolResult } from '@gemini-mcp/core';
import { afterEach, describe, expect } from 'vitest';
import { abortReason } from '../abort-reason.ts';
import { listenersLeft } from '../listeners-left.ts';
import { Proof } from '../proof.ts';

export type ToolProviderHarness = {
  readonly source: ToolProvider;
  /** A tool that answers with the argument `text`, and when it began. */
  readonly echo: string;
  /** The arguments that give `echo` a text. Default: `{ text }`. */
  readonly echoing?: (text: string) => Readonly<Record<string, unknown>>;
  /** A tool that runs until it is ended. */
  readonly wait: string;
  /** How many calls have reached a tool, without refused ones. */
  readonly begun: () => number;
  /** How many calls of `wait` are running. */
  readonly waiting: () => number;
  /** The provider's time, in milliseconds since the epoch. */
  readonly now: () => number;
  /** Advances the provider's clock by this time. */
  readonly pass: (durationMs: number) => Promise<void>;
  /** Adds a tool to the list. Null if the list never changes. */
  readonly change: (() => Promise<void>) | null;
  readonly close: () => Promise<void>;
};

export type ToolProviderContractOptions = {
  readonly name: string;
  readonly create: () => Promise<ToolProviderHarness>;
  /** As in `ProofOptions`. */
  readonly deadlineMs?: number;
};

/** Longer than any call of the suite. */
const longMs = 1_000_000;

/** The promises of every `ToolProvider`. */
export function describeToolProviderContract({ name, create, deadlineMs }: ToolProviderContractOptions): void {
  describe(`ToolProvider contract: ${name}`, () => {
    const proof = new Proof({ subject: `ToolProvider ${JSON.stringify(name)}`, deadlineMs });
    const opened: ToolProviderHarness[] = [];
    const open = async (): Promise<ToolProviderHarness> => {
      const harness = await create();
      opened.push(harness);
      return { ...harness, source: proof.watch(harness.source) };
    };
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((harness) => harness.close()));
    });
    describeList(proof, open);
    describeCalls(proof, open);
    describeRefusals(proof, open);
    describeEnds(proof, open);
    describeSideBySide(proof, open);
    describeChanges(proof, open);
  });
}

type Open = () => Promise<ToolProviderHarness>;

const never = new AbortController().signal;

function callOf(harness: ToolProviderHarness, name: string, args: Readonly<Record<string, unknown>> = {}): ToolCall {
  return { name, arguments: args, deadlineAtMs: harness.now() + longMs };
}

function echoOf(harness: ToolProviderHarness, text: string): ToolCall {
  return callOf(harness, harness.echo, harness.echoing?.(text) ?? { text });
}

function describeList(proof: Proof, open: Open): void {
  proof.promise('list() has unique tool names that Gemini accepts', async () => {
    const { source, echo, wait } = await open();
    const names = (await source.list(never)).map((tool) => tool.name);
    expect(names).toEqual(expect.arrayContaining([echo, wait]));
    expect(names.filter((name) => !/^[A-Za-z][A-Za-z0-9_-]{0,62}$/.test(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });

  proof.promise('list() describes each tool, its object of arguments, and whether it changes something', async () => {
    const { source } = await open();
    for (const tool of await source.list(never)) {
      expect(tool.description.trim()).not.toBe('');
      expect(tool.inputSchema).toMatchObject({ type: 'object' });
      expect(JSON.parse(JSON.stringify(tool.inputSchema))).toEqual(tool.inputSchema);
      expect(typeof tool.changes).toBe('boolean');
    }
  });

  proof.promise('list() is the same each time, in the same order', async () => {
    const { source } = await open();
    const first = await source.list(never);
    expect(await source.list(never)).toEqual(first);
    expect(await source.list(never)).toEqual(first);
  });

  proof.promise('list() rejects with the reason when the signal is already aborted', async () => {
    const { source } = await open();
    await expect(source.list(AbortSignal.abort(abortReason))).rejects.toBe(abortReason);
  });

  proof.promise('list() leaves no listener on the signal', async () => {
    const { source } = await open();
    const { signal } = new AbortController();
    await source.list(signal);
    expect(listenersLeft(signal), 'listeners of the signal').toBe(0);
  });
}

/** Texts that a provider might read as something else than text. */
const texts = ['plain', '', '  ', '$(id)', '{"a":1}', '日本語\n\u{1f600}', '</x>', '__proto__', '%s \\n', '\'"`'];

function describeCalls(proof: Proof, open: Open): void {
  for (const text of texts) {
    proof.promise(
      `call() passes the argument ${JSON.stringify(text)} to the tool, and returns its answer`,
      async () => {
        const harness = await open();
        const marked = `<${text}>`;
        const result = await harness.source.call(echoOf(harness, marked), never);
        expect(result.text.includes(marked) || JSON.stringify(result.data).includes(JSON.stringify(marked))).toBe(true);
        expect(result.isDone).toBe(true);
        expect(harness.begun()).toBe(1);
      },
    );
  }

  proof.promise('call() leaves the arguments unchanged', async () => {
    const harness = await open();
    const args = Object.freeze({ text: 'x', more: Object.freeze({ a: Object.freeze([1]) }) });
    await harness.source.call(callOf(harness, harness.echo, args), never);
    expect(args).toEqual({ text: 'x', more: { a: [1] } });
  });

  proof.promise('a result begins with a word, and its data are an object', async () => {
    const harness = await open();
    for (const text of ['42', '[1]', '{"a":1}', '', 'true']) {
      expectReadable(await harness.source.call(echoOf(harness, text), never));
    }
  });

  proof.promise('an ended call leaves no listener on the signal', async () => {
    const harness = await open();
    const { signal } = new AbortController();
    await harness.source.call(echoOf(harness, 'x'), signal);
    expect(listenersLeft(signal), 'listeners of the signal').toBe(0);
  });

  proof.promise('a call can be made before any list', async () => {
    const harness = await open();
    const result = await harness.source.call(echoOf(harness, 'x'), never);
    expect(result.isDone).toBe(true);
  });
}

function describeRefusals(proof: Proof, open: Open): void {
  for (const name of ['no_such_tool', '', '__proto__', 'constructor', 'x'.repeat(10_000)]) {
    proof.promise(`call() refuses a missing tool (${name.slice(0, 20)}) with a text`, async () => {
      const harness = await open();
      const result = await harness.source.call(callOf(harness, name), never);
      expectReadable(result);
      expect(result.isDone).toBe(false);
      expect(harness.begun()).toBe(0);
    });
  }

  proof.promise('call() has a result whatever the arguments', async () => {
    const harness = await open();
    const many = { text: { deep: [null, { text: 1 }] }, other: true };
    const hostile: readonly Readonly<Record<string, unknown>>[] = [
      {},
      { text: 1 },
      { text: null },
      many,
      JSON.parse('{"__proto__":1}'),
    ];
    for (const args of hostile) {
      expectReadable(await harness.source.call(callOf(harness, harness.echo, args), never));
    }
  });

  proof.promise('a refused call does not prevent others', async () => {
    const harness = await open();
    await harness.source.call(callOf(harness, 'no_such_tool'), never);
    expect((await harness.source.call(echoOf(harness, 'x'), never)).isDone).toBe(true);
  });
}

function describeEnds(proof: Proof, open: Open): void {
  proof.promise('call() on an aborted signal executes nothing, and still has a result', async () => {
    const harness = await open();
    const result = await harness.source.call(echoOf(harness, 'x'), AbortSignal.abort(abortReason));
    expectReadable(result);
    expect(result.isDone).toBe(false);
    expect(harness.begun()).toBe(0);
  });

  proof.promise('an abort ends the call and its work soon, with a result that says so', async () => {
    const harness = await open();
    const controller = new AbortController();
    const called = harness.source.call(callOf(harness, harness.wait), controller.signal);
    await until(() => harness.waiting() === 1);
    controller.abort(abortReason);
    expectReadable(await called);
    await until(() => harness.waiting() === 0);
    expect(listenersLeft(controller.signal), 'listeners of the signal').toBe(0);
  });

  proof.promise('the deadline ends the call and its work, with a result that says so', async () => {
    const harness = await open();
    const call = { ...callOf(harness, harness.wait), deadlineAtMs: harness.now() + 50 };
    const { signal } = new AbortController();
    const called = harness.source.call(call, signal);
    await until(() => harness.waiting() === 1);
    await harness.pass(50);
    expectReadable(await called);
    await until(() => harness.waiting() === 0);
    expect(listenersLeft(signal), 'listeners of the signal').toBe(0);
  });

  proof.promise('the deadline does not end the call early', async () => {
    const harness = await open();
    const controller = new AbortController();
    let isOver = false;
    const called = harness.source
      .call({ ...callOf(harness, harness.wait), deadlineAtMs: harness.now() + 60_000 }, controller.signal)
      .then(() => {
        isOver = true;
      });
    await until(() => harness.waiting() === 1);
    await harness.pass(10);
    expect(isOver).toBe(false);
    controller.abort(abortReason);
    await called;
  });

  proof.promise('a call whose deadline has passed has a result', async () => {
    const harness = await open();
    const call = { ...callOf(harness, harness.wait), deadlineAtMs: harness.now() - 1 };
    expectReadable(await harness.source.call(call, never));
    await until(() => harness.waiting() === 0);
  });

  proof.promise('a call after an aborted one is executed', async () => {
    const harness = await open();
    const controller = new AbortController();
    const called = harness.source.call(callOf(harness, harness.wait), controller.signal);
    await until(() => harness.waiting() === 1);
    controller.abort(abortReason);
    await called;
    expect((await harness.source.call(echoOf(harness, 'x'), never)).isDone).toBe(true);
  });
}

function describeSideBySide(proof: Proof, open: Open): void {
  proof.promise('calls run in parallel: a waiting one delays no other', async () => {
    const harness = await open();
    const controller = new AbortController();
    const waiting = [1, 2].map(() => harness.source.call(callOf(harness, harness.wait), controller.signal));
    await until(() => harness.waiting() === 2);
    expect((await harness.source.call(echoOf(harness, 'x'), never)).isDone).toBe(true);
    controller.abort(abortReason);
    await Promise.all(waiting);
  });

  proof.promise('an abort of one call leaves the others', async () => {
    const harness = await open();
    const [one, other] = [new AbortController(), new AbortController()];
    const first = harness.source.call(callOf(harness, harness.wait), one.signal);
    let isOver = false;
    const second = harness.source.call(callOf(harness, harness.wait), other.signal).then(() => {
      isOver = true;
    });
    await until(() => harness.waiting() === 2);
    one.abort(abortReason);
    await first;
    await until(() => harness.waiting() === 1);
    expect(isOver).toBe(false);
    other.abort(abortReason);
    await second;
  });

  proof.promise('each of many parallel calls is executed once, and gets its own answer', async () => {
    const harness = await open();
    const words = Array.from({ length: 30 }, (_, index) => `word-${index}-end`);
    const results = await Promise.all(words.map((text) => harness.source.call(echoOf(harness, text), never)));
    const heard = results.map((result) => words.filter((word) => JSON.stringify(result).includes(word)));
    expect(heard).toEqual(words.map((word) => [word]));
    expect(harness.begun()).toBe(words.length);
  });
}

function describeChanges(proof: Proof, open: Open): void {
  const openChanging = async () => {
    const harness = await open();
    const { source, change } = harness;
    const listen = source.onChange?.bind(source);
    if (change === null || listen === undefined) {
      return proof.skip('the list never changes');
    }
    await source.list(never);
    return { source, change, listen };
  };

  proof.promise('a change is reported, and the list is new then', async () => {
    const { source, change, listen } = await openChanging();
    const before = await source.list(never);
    const heard = new Promise<void>((resolve) => listen(resolve));
    await change();
    await heard;
    expect((await source.list(never)).length).toBe(before.length + 1);
  });

  proof.promise('every listener gets a change', async () => {
    const { change, listen } = await openChanging();
    const heard = [1, 2, 3].map(() => new Promise<void>((resolve) => listen(resolve)));
    await change();
    await Promise.all(heard);
  });

  proof.promise('a stopped listener gets nothing, and the others still do', async () => {
    const { change, listen } = await openChanging();
    let stopped = 0;
    const stop = listen(() => {
      stopped += 1;
    });
    const heard = new Promise<void>((resolve) => listen(resolve));
    stop();
    stop();
    await change();
    await heard;
    expect(stopped).toBe(0);
  });

  proof.promise('one that listens twice and stops once still gets changes', async () => {
    const { change, listen } = await openChanging();
    let times = 0;
    const hear = (): void => {
      times += 1;
    };
    listen(hear);
    listen(hear)();
    const heard = new Promise<void>((resolve) => listen(resolve));
    await change();
    await heard;
    expect(times).toBeGreaterThan(0);
  });
}

function expectReadable(result: ToolResult): void {
  expect(result.text, 'the text').toMatch(/^\p{L}/u);
  expect(() => JSON.parse(result.text), 'the text as JSON').toThrow();
  expect(JSON.parse(JSON.stringify(result.data))).toEqual(result.data);
  expect(Array.isArray(result.data) || typeof result.data !== 'object', 'data that are not an object').toBe(false);
  expect(typeof result.isDone).toBe('boolean');
}

/** The tool's work sends no signal; the deadline of the proof ends the waiting. */
async function until(isSo: () => boolean): Promise<void> {
  await expect.poll(isSo, { interval: 5 }).toBe(true);
}
