import type {
  Clock,
  LoopbackToolServer,
  ModelTool,
  ToolCall,
  ToolResult,
  ToolSession,
  ToolSessionRequest,
} from '@gemini-mcp/core';
import { FakeClock, ScriptedToolProvider } from '@gemini-mcp/core/testing';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { createMoment } from '../create-moment.ts';
import { hostileText } from '../hostile-text.ts';
import { listenersLeft } from '../listeners-left.ts';
import { isJsonRecord, recordsIn } from '../offline-api/index.ts';
import { Proof } from '../proof.ts';
import { type McpAnswer, type McpPost, postMcp } from './mcp-post.ts';

export type LoopbackToolServerContractOptions = {
  readonly name: string;
  readonly create: (options: { readonly clock: Clock }) => LoopbackToolServer & { readonly close: () => Promise<void> };
  /** As in `ProofOptions`. */
  readonly deadlineMs?: number;
};

type Subject = {
  readonly proof: Proof;
  readonly clock: () => FakeClock;
  /** Opens the server for the tools of this provider. */
  readonly lend: (source: ScriptedToolProvider, fields?: Partial<ToolSessionRequest>) => Promise<ToolSession>;
  readonly signal: () => AbortSignal;
  readonly abort: () => void;
  readonly steps: () => readonly string[];
};

/** The promises of every `LoopbackToolServer`. */
export function describeLoopbackToolServerContract({
  name,
  create,
  deadlineMs,
}: LoopbackToolServerContractOptions): void {
  describe(`LoopbackToolServer contract: ${name}`, () => {
    const proof = new Proof({ subject: `LoopbackToolServer ${JSON.stringify(name)}`, deadlineMs });
    let clock: FakeClock;
    let run: AbortController;
    let endpoint: ReturnType<typeof create>;
    let steps: string[];

    beforeEach(() => {
      clock = new FakeClock();
      run = new AbortController();
      endpoint = create({ clock });
      steps = [];
    });
    afterEach(() => endpoint.close());

    const subject: Subject = {
      proof,
      clock: () => clock,
      signal: () => run.signal,
      abort: () => run.abort(),
      steps: () => steps,
      lend: (source, fields = {}) => {
        const onStep: ToolSessionRequest['onStep'] = (step) => steps.push(`${step.name} ${step.phase}`);
        return endpoint.open({ sources: [source], deadlineAtMs: clock.now() + 60_000, onStep, ...fields }, run.signal);
      },
    };
    describeCalls(subject);
    describeOrder(subject);
    describeStrangers(subject);
    describeEnds(subject);
    describeProgramsThatGoOn(subject);
  });
}

function describeCalls({ proof, lend, steps }: Subject): void {
  proof.promise('lists the tools of all providers, and reports the listing', async () => {
    const source = new ScriptedToolProvider({ tools: [tool('look_b'), tool('look_a')] });
    const other = new ScriptedToolProvider({ tools: [tool('put_c', true)] });
    const toolSession = await lend(source, { sources: [source, other] });
    await expectNotYet(toolSession.listed);
    const { message } = await begin(toolSession);
    await toolSession.listed;
    const tools = isJsonRecord(message?.['result']) ? recordsIn(message['result']['tools']) : [];
    expect(tools.map(({ name }) => name)).toEqual(['look_b', 'look_a', 'put_c']);
    expect(tools[0]).toMatchObject({ description: 'Does look_b.', inputSchema: tool('').inputSchema });
  });

  proof.promise('executes each call once, with its arguments unchanged, and returns its whole result', async () => {
    const args = { text: hostileText, deep: [{ a: [1, null, true, ''] }], 'odd name': 0.5 };
    const bytes = new Uint8Array([137, 80, 78, 71]);
    const result = { text: `Read: ${hostileText.repeat(400)}`, data: { exitCode: 0 }, isDone: true };
    const source = sourceOf(() => ({ ...result, media: [{ path: 'a.png', mediaType: 'image/png', bytes }] }));
    const toolSession = await lend(source);
    await begin(toolSession);
    const { message } = await call(toolSession, 2, 'look', args);
    expect(source.calls.map(({ name, arguments: given }) => [name, given])).toEqual([['look', args]]);
    expect(toolSession.calls).toBe(1);
    expect(message?.['result']).toEqual({
      content: [
        { type: 'text', text: result.text },
        { type: 'image', mimeType: 'image/png', data: Buffer.from(bytes).toString('base64') },
      ],
      structuredContent: result.data,
    });
  });

  proof.promise('removes the argument that the Gemini CLI adds, unless the tool has it', async () => {
    const own = { ...tool('own'), inputSchema: { type: 'object', properties: { wait_for_previous: {} } } };
    const source = new ScriptedToolProvider({ tools: [tool('look'), own] });
    const toolSession = await lend(source);
    await begin(toolSession);
    await call(toolSession, 2, 'look', { n: 1, wait_for_previous: true });
    await call(toolSession, 3, 'own', { wait_for_previous: true });
    expect(source.calls.map((made) => made.arguments)).toEqual([{ n: 1 }, { wait_for_previous: true }]);
  });

  proof.promise('returns a refusal, a fault and a missing tool as results, with data', async () => {
    const source = sourceOf(({ name }) => {
      if (name === 'put') {
        throw new Error('a secret of the tool');
      }
      return { text: 'Refused: no.', data: { code: 'protected' }, isDone: false };
    });
    const toolSession = await lend(source);
    await begin(toolSession);
    const answers = [
      await call(toolSession, 2, 'look', {}),
      await call(toolSession, 3, 'put', {}),
      await call(toolSession, 4, 'x', {}),
    ];
    for (const { message } of answers) {
      expect(message?.['result']).toMatchObject({
        content: [{ type: 'text', text: expect.stringMatching(/^Refused: /) }],
        structuredContent: { code: expect.any(String) },
      });
      expect(message?.['result']).not.toMatchObject({ isError: true });
    }
    expect(JSON.stringify(answers)).not.toContain('a secret of the tool');
    expect(steps()).toEqual(['look', 'put', 'x'].flatMap((name) => [`${name} started`, `${name} failed`]));
  });
}

function describeOrder({ proof, lend }: Subject): void {
  proof.promise('executes changes one at a time, in the order of their numbers', async () => {
    const log: string[] = [];
    const source = sourceOf(async ({ arguments: { n } }) => {
      log.push(`${n} begins`);
      await new Promise(setImmediate);
      log.push(`${n} ends`);
      return done;
    });
    const toolSession = await lend(source);
    await begin(toolSession);
    // The last one is sent first.
    await Promise.all([5, 4, 3, 2].map((id) => call(toolSession, id, 'put', { n: id })));
    expect(log).toEqual([2, 3, 4, 5].flatMap((id) => [`${id} begins`, `${id} ends`]));
  });

  proof.promise('TOOLS-05: executes a repeated call with the same id once', async () => {
    const source = sourceOf(() => done);
    const toolSession = await lend(source);
    await begin(toolSession);
    const [one, other] = await Promise.all([call(toolSession, 2, 'put', {}), call(toolSession, 2, 'put', {})]);
    const again = await call(toolSession, 2, 'put', {});
    expect([one.status, other.status].toSorted()).toEqual([200, 400]);
    expect(again.status).toBe(400);
    expect(source.calls).toHaveLength(1);
  });

  proof.promise('TOOLS-05: executes or refuses each of 500 parallel calls, and repeats none', async () => {
    const source = sourceOf(async () => {
      await new Promise(setImmediate);
      return done;
    });
    const toolSession = await lend(source);
    await begin(toolSession);
    const numbers = Array.from({ length: 500 }, (_, n) => n);
    const answers = await Promise.all(numbers.map((n) => call(toolSession, n + 2, 'look', { n })));
    const texts = answers.map(({ message }) => JSON.stringify(message?.['result']));
    const refusals = texts.filter((text) => text.includes('Refused: '));
    const made = source.calls.map((each) => each.arguments['n']);
    expect(texts.every((text) => text.includes('Refused: ') || text.includes('Done.'))).toBe(true);
    expect(made).toHaveLength(500 - refusals.length);
    expect(new Set(made).size).toBe(made.length);
  });
}

function describeStrangers({ proof, lend }: Subject): void {
  proof.promise("TOOLS-05: gives nothing to a program without the token or with another run's token", async () => {
    const [source, otherSource] = [sourceOf(() => done), sourceOf(() => done)];
    const [toolSession, other] = [await lend(source), await lend(otherSource)];
    expect(toolSession.token).toMatch(/^[0-9a-f]{64}$/);
    expect(new Set([toolSession.token, other.token]).size).toBe(2);
    expect(new URL(toolSession.url).hostname).toBe('127.0.0.1');
    const expectNothing = async (...bodies: readonly McpPost['body'][]) => {
      for (const token of [null, '', other.token, toolSession.token.slice(0, -1), `${toolSession.token}0`]) {
        for (const body of bodies) {
          expect(await postMcp({ url: toolSession.url, token, body })).toEqual({ status: 401, message: null });
        }
      }
    };
    await expectNothing(initialize);
    await expectNotYet(toolSession.listed);
    // From here on a wrong endpoint answers at once: it waits for no missing number.
    await begin(toolSession);
    await expectNothing(listTools, callOf(2, 'put', {}));
    const elsewhere = `${new URL(toolSession.url).origin}/r/0123456789abcdef`;
    const { status } = await postMcp({ url: elsewhere, token: toolSession.token, body: listTools });
    expect(status).toBe(404);
    expect([source.calls, otherSource.calls]).toEqual([[], []]);
  });

  proof.promise('TOOLS-05: gives a page of a browser nothing, whatever it sends', async () => {
    const source = sourceOf(() => done);
    const toolSession = await lend(source);
    await begin(toolSession);
    const { port } = new URL(toolSession.url);
    const pages: readonly NonNullable<McpPost['headers']>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: `http://127.0.0.1:${port}` },
      { host: `evil.example:${port}` },
      { host: `127.0.0.1.evil.example:${port}` },
      { host: `localhost.:${port}` },
      { host: '127.0.0.1:1' },
    ];
    for (const headers of pages) {
      const { status } = await postMcp({
        url: toolSession.url,
        token: toolSession.token,
        body: callOf(2, 'put', {}),
        headers,
      });
      expect([headers, status]).toEqual([headers, 403]);
    }
    for (const method of ['GET', 'DELETE', 'OPTIONS', 'PUT']) {
      const answer = await postMcp({ url: toolSession.url, token: toolSession.token, body: {}, method });
      expect([method, answer]).toEqual([method, { status: 405, message: null }]);
    }
    expect(source.calls).toEqual([]);
  });
}

function describeEnds({ proof, lend, clock, signal, abort, steps }: Subject): void {
  proof.promise('TOOLS-05: closes for good with the run', async () => {
    const source = sourceOf(() => done);
    const [closed, open] = [await lend(source), await lend(source)];
    await begin(closed);
    await closed.close();
    await closed.close();
    const late = { url: closed.url, token: closed.token, body: callOf(2, 'put', {}) };
    expect(await postMcp(late)).toEqual({ status: 404, message: null });
    expect(source.calls).toEqual([]);
    await begin(open);
    expect((await call(open, 2, 'put', {})).status).toBe(200);
    abort();
    expect((await postMcp({ ...late, url: open.url, token: open.token })).status).toBe(404);
    expect(source.calls).toHaveLength(1);
    expect(listenersLeft(signal())).toBe(0);
  });

  proof.promise('TOOLS-05: ends the call of a closed run, and drops its result', async () => {
    for (const end of ['close', 'abort'] as const) {
      const [begun, aborted] = [createMoment(), createMoment()];
      const source = sourceOf(async (_, ofCall) => {
        ofCall.addEventListener('abort', () => aborted.come(), { once: true });
        begun.come();
        await aborted.came;
        return { ...done, text: 'Too late.' };
      });
      const toolSession = await lend(source);
      await begin(toolSession);
      const [first, second] = [call(toolSession, 2, 'put', {}), call(toolSession, 3, 'put', {})];
      const answers = Promise.allSettled([first, second]);
      await begun.came;
      await (end === 'close' ? toolSession.close() : abort());
      await aborted.came;
      expect(JSON.stringify(await answers)).not.toContain('Too late.');
      expect(source.calls).toHaveLength(1);
    }
    expect(steps().filter((step) => !step.endsWith('started'))).toEqual([]);
  });

  proof.promise('TOOLS-05: begins no call after the deadline', async () => {
    const source = sourceOf(() => done);
    const toolSession = await lend(source);
    await begin(toolSession);
    await clock().advance(60_000);
    const { message } = await call(toolSession, 2, 'put', {});
    expect(JSON.stringify(message?.['result'])).toContain('Refused: ');
    expect(source.calls).toEqual([]);
  });

  proof.promise('rejects, and opens nothing, for a closed run', async () => {
    abort();
    await expect(lend(sourceOf(() => done))).rejects.toThrow();
    expect(listenersLeft(signal())).toBe(0);
  });
}

function describeProgramsThatGoOn({ proof, lend, clock }: Subject): void {
  proof.promise('names equal lists of tools alike, and others not', async () => {
    const digestOf = async (...tools: readonly ModelTool[]) =>
      (await lend(new ScriptedToolProvider({ tools }))).toolsDigest;
    const look = tool('look');
    const lists = [
      [],
      [look],
      [look, tool('put', true)],
      [tool('put', true), look],
      [{ ...look, name: 'see' }],
      [{ ...look, description: 'CANARY' }],
      [{ ...look, inputSchema: { type: 'object' } }],
      [{ ...look, changes: true }],
    ];
    const digests = await Promise.all(lists.map((list) => digestOf(...list)));
    expect(new Set(digests).size).toBe(lists.length);
    expect(await digestOf(structuredClone(look))).toBe(digests[1]);
    expect(digests.join()).not.toContain('CANARY');
  });

  proof.promise('TOOLS-05: serves a program that goes on from an earlier run, only at the new address', async () => {
    const [earlier, later] = [sourceOf(() => done), sourceOf(() => done)];
    const first = await lend(earlier);
    await begin(first);
    await call(first, 2, 'look', {});
    const { nextNumber } = first;
    expect(nextNumber).toBe(3);
    await first.close();
    const second = await lend(later);
    second.goOn(nextNumber);
    // The clock does not move: no call waits for the numbers of the earlier run.
    const { status } = await call(second, nextNumber, 'put', { n: 1 });
    expect([status, clock().sleeping, second.nextNumber]).toEqual([200, 0, nextNumber + 1]);
    expect((await call(second, nextNumber, 'put', {})).status).toBe(400);
    for (const { url, token } of [
      first,
      { url: first.url, token: second.token },
      { url: second.url, token: first.token },
    ]) {
      const refused = await postMcp({ url, token, body: callOf(4, 'put', {}) });
      expect(refused).toEqual({ status: url === second.url ? 401 : 404, message: null });
    }
    expect([earlier.calls.length, later.calls.length]).toEqual([1, 1]);
  });
}

const done: ToolResult = { text: 'Done.', data: {}, isDone: true };

const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'contract', version: '1' } },
};

function callOf(id: number, name: string, args: ToolCall['arguments']): McpPost['body'] {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } };
}

/** The first requests of a program. Resolves to the list of tools. */
async function begin({ url, token }: ToolSession): Promise<McpAnswer> {
  const opened = await postMcp({ url, token, body: initialize });
  expect(opened.message).toMatchObject({ result: { capabilities: { tools: {} } } });
  const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
  expect(await postMcp({ url, token, body: initialized })).toEqual({ status: 202, message: null });
  return postMcp({ url, token, body: listTools });
}

function call({ url, token }: ToolSession, id: number, name: string, args: ToolCall['arguments']): Promise<McpAnswer> {
  return postMcp({ url, token, body: callOf(id, name, args) });
}

async function expectNotYet(event: Promise<unknown>): Promise<void> {
  const pending = Symbol('pending');
  expect(await Promise.race([event, new Promise((resolve) => setImmediate(resolve, pending))])).toBe(pending);
}

function sourceOf(
  answer: (call: ToolCall, signal: AbortSignal) => ToolResult | Promise<ToolResult>,
): ScriptedToolProvider {
  return new ScriptedToolProvider({ tools: [tool('look'), tool('put', true)], answer });
}

function tool(name: string, changes = false): ModelTool {
  const inputSchema = { type: 'object', properties: { n: { type: 'integer' } } };
  return { name, description: `Does ${name}.`, inputSchema, changes };
}
