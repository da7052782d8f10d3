import { existsSync, readFileSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type CliStep, cliOpening, readInvocations, whenInvoked } from '@gemini-mcp/fake-gemini';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ServerSetup } from './server-setup.ts';

const systemPrompt = 'CANARY of a system prompt.';

const answers: readonly CliStep[] = [
  { do: 'text', chunks: ['ok'] },
  { do: 'result', status: 'success' },
];

describe('ARGV-10: the system prompt, the built server', () => {
  let setup: ServerSetup;

  beforeEach(async () => {
    setup = await ServerSetup.create();
  });

  afterEach(() => setup.dispose());

  /** The file that a run was given, while it is still there. */
  async function fileOfRun(): Promise<string> {
    const [run] = await whenInvoked(setup.cliDirectory, 1);
    return run?.env['GEMINI_SYSTEM_MD'] ?? '';
  }

  it('of 5,000,000 characters is refused, and nothing is started', async () => {
    await setup.playCli([...cliOpening(), ...answers]);
    const server = await setup.start();
    const answer = await server.call('chat', { prompt: 'Hi', systemPrompt: 'x'.repeat(5_000_000) });
    expect(answer.isError).toBe(true);
    expect(answer.text).toContain('- systemPrompt: at most 1000000 characters, not 5000000');
    expect(answer.text.length).toBeLessThan(1_000);
    expect(await readInvocations(setup.cliDirectory)).toEqual([]);
  });

  it.each<[string, readonly CliStep[]]>([
    ['an answer', answers],
    ['a failure', [{ do: 'exit', code: 52 }]],
    ['a crash', [{ do: 'kill-self', signal: 'SIGKILL' }]],
    ['the end of its time', [{ do: 'hang' }]],
  ])('lies in a file for this user alone while the CLI runs, and is gone after %s', async (_, ending) => {
    await setup.playCli([...cliOpening(), { do: 'await-file', file: 'go' }, ...ending]);
    const isLong = ending !== answers;
    const server = await setup.start(isLong ? { GEMINI_CLI_CHAT_TIMEOUT_MS: '2000' } : {});
    const call = server.startCall('chat', { prompt: 'Hi', systemPrompt, model: 'gemini-3.1-pro-preview' });
    const file = await fileOfRun();
    expect(readFileSync(file, 'utf8')).toBe(systemPrompt);
    const modes = [file, dirname(file), setup.runsDirectory].map((path) => statSync(path).mode & 0o777);
    expect(modes).toEqual([0o600, 0o700, 0o700]);
    const [run] = await readInvocations(setup.cliDirectory);
    expect(run?.argv.join('\n')).not.toContain('CANARY');
    await writeFile(join(setup.cliDirectory, 'go'), '');
    expect((await call.result).isError).toBe(isLong);
    expect(existsSync(file)).toBe(false);
    expect(await setup.leftovers()).toEqual([]);
  });

  it('is gone after a cancelled call, and after kill -9 and the next start', async () => {
    await setup.playCli([...cliOpening(), { do: 'hang' }]);
    const server = await setup.start();
    const { id } = server.startCall('chat', { prompt: 'Hi', systemPrompt });
    expect(existsSync(await fileOfRun())).toBe(true);
    server.cancel(id);
    expect(await setup.lastingLeftovers()).toEqual([]);
    server.startCall('chat', { prompt: 'Hi', systemPrompt });
    await whenInvoked(setup.cliDirectory, 2);
    expect(await setup.filesHolding('CANARY')).toHaveLength(1);
    server.kill('SIGKILL');
    await server.ended;
    await setup.start();
    expect(await setup.lastingLeftovers()).toEqual([]);
    expect(await setup.filesHolding('CANARY')).toEqual([]);
  });
});
