import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CliStep, cliOpening, readInvocations, whenFileExists } from '@gemini-mcp/fake-gemini';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ServerSetup } from './server-setup.ts';

/** Of no known shape, so that it is recognised only by its value; in two halves, as it may arrive. */
const halves = ['canary-key.of_', 'no-one-42-xyz'] as const;
const apiKey = halves.join('');

/** Parts of a key that would let a reader restore it. */
const traces: readonly string[] = [
  ...halves,
  ...[0, 1, 2].map((offset) =>
    Buffer.from(`${'x'.repeat(offset)}${apiKey}`)
      .toString('base64')
      .slice(4, 24),
  ),
];

const leaks: readonly CliStep[] = (['stderr', 'stdout'] as const).map((to) => ({
  do: 'leak',
  to,
  forms: ['plain', 'split', 'base64', 'url', 'json'],
}));

function tracesIn(text: string): readonly string[] {
  return traces.filter((trace) => text.includes(trace));
}

describe('a key for one call, the built server', () => {
  let setup: ServerSetup;

  beforeEach(async () => {
    setup = await ServerSetup.create();
  });

  afterEach(() => setup.dispose());

  async function filesWithTraces(): Promise<readonly string[]> {
    return (await Promise.all(traces.map((trace) => setup.filesHolding(trace)))).flat();
  }

  it('ARGV-11: goes to the environment of its run alone: no command line, file or log has it, while it runs or later', async () => {
    await setup.playCli([...cliOpening(), { do: 'touch', file: 'runs' }, { do: 'hang' }]);
    const server = await setup.start({ GEMINI_MCP_LOG_LEVEL: 'trace' });
    const call = server.startCall('geminiChat', { prompt: 'Hi', apiKey });
    await whenFileExists(setup.cliDirectory, 'runs');
    const [run] = await readInvocations(setup.cliDirectory);
    expect(run?.env).toMatchObject({ GEMINI_API_KEY: apiKey });
    const processes = [run?.pid ?? 0, server.pid, ...setup.cliProcesses()];
    const commandLines = processes.map((pid) => readFileSync(`/proc/${pid}/cmdline`, 'latin1'));
    expect(commandLines.join('\n')).toContain('--model=');
    expect(tracesIn(commandLines.join('\n'))).toEqual([]);
    expect(tracesIn(readFileSync(`/proc/${server.pid}/environ`, 'latin1'))).toEqual([]);
    expect(await filesWithTraces()).toEqual([]);
    server.cancel(call.id);
    expect(await setup.lastingLeftovers()).toEqual([]);
    expect(tracesIn(server.stderr)).toEqual([]);
  });

  it('SECRET-05: a CLI that repeats it in every form does not leak it: no answer, progress, log, job or file', async () => {
    const said = `rejected ${apiKey}, ${Buffer.from(`x ${apiKey} y`).toString('base64')}`;
    const error = { type: 'unknown', message: said };
    const event = { type: 'error', severity: 'error', message: said };
    await setup.playCli([
      ...cliOpening(),
      ...leaks,
      { do: 'event', event },
      { do: 'event', event: { type: 'tool_use', tool_id: 't1', tool_name: 'google_web_search', parameters: {} } },
      { do: 'event', event: { type: 'tool_result', tool_id: 't1', status: 'error', error: { message: said } } },
      { do: 'result', status: 'error', error },
      { do: 'exit', code: 52 },
    ]);
    const server = await setup.start({ GEMINI_MCP_LOG_LEVEL: 'trace' });
    const failed = await Promise.all([
      server.request('tools/call', {
        name: 'geminiChat',
        arguments: { prompt: 'Hi', apiKey, model: 'gemini-3.1-pro-preview' },
        _meta: { progressToken: 'told' },
      }),
      server.call('googleSearch', { query: 'Hi', apiKey, model: 'gemini-3.1-pro-preview' }),
    ]);
    expect(JSON.stringify(failed[0].result)).toContain('[redacted]');
    expect(failed[1].isError).toBe(true);
    const { meta } = await server.call('geminiChat', { prompt: 'Hi', apiKey, background: true });
    const job = await server.call('gemini_job', { handle: String(meta?.['jobHandle']), action: 'wait' });
    expect(job).toMatchObject({ isError: true, text: expect.stringContaining('[redacted]') });
    expect(tracesIn(JSON.stringify(server.messages))).toEqual([]);
    expect(tracesIn(server.stderr)).toEqual([]);
    expect(await filesWithTraces()).toEqual([]);
  });

  it('SECRET-05: at trace the log holds requests and answers, but no key, in pieces or whole', async () => {
    await setup.playCli([
      ...cliOpening(),
      { do: 'text', chunks: ['The key is ', halves[0], halves[1], `, that is ${apiKey}.`] },
      { do: 'result', status: 'success' },
    ]);
    const server = await setup.start({ GEMINI_MCP_LOG_LEVEL: 'trace' });
    await server.call('geminiChat', { prompt: `A question with ${apiKey} in it`, apiKey });
    await server.until(() => server.stderr.includes('"run-ended"'));
    expect(server.stderr).toContain('A question with [redacted] in it');
    expect(server.stderr).toContain('The key is [redacted], that is [redacted].');
    expect(tracesIn(server.stderr)).toEqual([]);
  });

  it('ARGV-11: an invalid key is refused, and not repeated', async () => {
    await setup.playCli([{ do: 'exit', code: 1 }]);
    const server = await setup.start({ GEMINI_MCP_LOG_LEVEL: 'trace' });
    for (const wrong of ['k --yolo canary-typo', 'canary-typo\n', 'canary-typo\u0000', ' ', '']) {
      const answers = [
        await server.call('geminiChat', { prompt: 'Hi', apiKey: wrong }),
        await server.call('googleSearch', { query: 'Hi', apiKey: wrong }),
      ];
      for (const { isError, text } of answers) {
        expect(isError).toBe(true);
        expect(text).toContain('- apiKey: must be an API key');
      }
    }
    expect(`${JSON.stringify(server.messages)}${server.stderr}`).not.toContain('canary-typo');
    expect(existsSync(join(setup.cliDirectory, 'invocations.jsonl'))).toBe(false);
  });
});
