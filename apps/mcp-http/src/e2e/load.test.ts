import { EchoingCli } from '@gemini-mcp/fake-gemini';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HttpSetup, token } from './http-setup.ts';
import { type HttpAnswer, McpHttpClient, type SendOptions } from './mcp-http-client.ts';
import { bytesOf, peakBytesOf } from './memory-of.ts';

const accepted = 36;
const roomy = { GEMINI_MCP_PROFILE: 'shared', GEMINI_MCP_MAX_RUNNING: '4', GEMINI_MCP_HTTP_RATE_LIMIT: '0' };

type Answer = HttpAnswer & { readonly canary: string };

let setup: HttpSetup;

beforeEach(async () => {
  setup = await HttpSetup.create();
});

afterEach(async () => {
  await setup.dispose();
});

/** Every second one over plain HTTP. */
function callOf(canary: string, index: number): SendOptions {
  const args = { prompt: `Repeat ${canary}` };
  const params = { name: 'gemini_query', arguments: args };
  return index % 2 === 0
    ? { path: '/api/gemini-query', body: args, headers: { Accept: 'application/json' } }
    : { body: { jsonrpc: '2.0', id: 7, method: 'tools/call', params } };
}

/** Whether a call was refused because there was no place, and said when to come again. */
function saysBusy({ status, headers, text }: Answer): boolean {
  if (status === 503) {
    return text.includes('"code":"busy"') && Number(headers['retry-after']) >= 1;
  }
  return (
    status === 200 && text.includes('"isError":true') && /too many calls are running.*Try again in \d+ s/s.test(text)
  );
}

describe('LOAD-05: 1,000 calls at once, the built HTTP server', () => {
  it('4 run, 32 wait, the rest are told when to come again; none is lost, none crossed, and others are answered', async () => {
    const cli = await EchoingCli.create(setup.cliDirectory);
    setup.useCli(cli.path);
    const server = await setup.start(roomy);
    const client = new McpHttpClient({ origin: server.origin, token });
    await client.initialize();
    const before = bytesOf(server);
    const answers: Answer[] = [];
    let wake = (): void => undefined;
    const calls = Array.from({ length: 1_000 }, async (_, index) => {
      const canary = `canary-${index}.`;
      answers.push({ canary, ...(await client.send(callOf(canary, index))) });
      wake();
    });
    while (answers.length < 1_000 - accepted) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    // No call has ended: each that was answered was refused.
    expect(answers.filter((answer) => !saysBusy(answer))).toEqual([]);
    expect(await client.request('ping')).toHaveProperty('result');
    expect(answers).toHaveLength(1_000 - accepted);
    await cli.letSpeak();
    await cli.letFinish();
    await Promise.all(calls);
    const answered = answers.slice(1_000 - accepted);
    const crossed = answered.filter(
      ({ status, text, canary }) => status !== 200 || !text.includes(`answer to ${canary}`),
    );
    expect(crossed).toEqual([]);
    expect(new Set(answers.map(({ canary }) => canary)).size).toBe(1_000);
    const runs = await cli.countRuns();
    expect(runs.all).toBe(accepted);
    expect(runs.atOnce).toBeLessThanOrEqual(4);
    expect(peakBytesOf(server) - before).toBeLessThan(150_000_000);
    expect(await setup.leftovers()).toEqual([]);
    client.close();
  });
});
