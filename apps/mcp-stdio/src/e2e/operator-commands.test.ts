import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runTestProgram, type TestProgramEnd } from '@gemini-mcp/fake-gemini';
import { permissionDenied, text } from '@gemini-mcp/port-contracts/offline-api';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serverPath } from './server-process.ts';
import { ServerSetup } from './server-setup.ts';

describe('what the built binary does for somebody at a terminal', () => {
  let setup: ServerSetup;

  beforeEach(async () => {
    setup = await ServerSetup.create();
  });

  afterEach(() => setup.dispose());

  const run = (
    args: readonly string[],
    environment: Record<string, string | undefined> = {},
  ): Promise<TestProgramEnd> =>
    runTestProgram({
      file: serverPath,
      args,
      cwd: setup.project,
      environment: { ...setup.environment(), ...environment },
    });

  it('--version, and a flag that there is not, with the nearest', async () => {
    expect(await run(['--version'])).toEqual({ exitCode: 0, stdout: '1.0.0\n', stderr: '' });
    const stderr = expect.stringContaining('--models');
    expect(await run(['--model', 'x'])).toMatchObject({ exitCode: 2, stdout: '', stderr });
  });

  it('--print-config prints what a client needs, with the path of this binary', async () => {
    const { stdout } = await run(['--print-config', 'cursor', '--read-only']);
    const { mcpServers } = JSON.parse(stdout);
    // A Node in npx's cache goes when the cache is cleared, so we name the installed command.
    const isNodeOfNpx = process.execPath.includes('/_npx/');
    const settings = ['--read-only=1', expect.stringMatching(/^--cli=\//)];
    expect(mcpServers.gemini).toMatchObject({
      command: isNodeOfNpx ? 'gemini-mcp-server' : process.execPath,
      args: isNodeOfNpx ? settings : [serverPath, ...settings],
      env: { GEMINI_API_KEY: `\${env:GEMINI_API_KEY}` },
    });
  });

  it('review: asks about the working tree, and the exit code says whether something was found', async () => {
    const git = (...words: readonly string[]) =>
      execa('git', ['-c', 'user.name=Ada', '-c', 'user.email=a@b.c', ...words], { cwd: setup.project });
    await git('init', '-q');
    await git('commit', '-q', '--allow-empty', '-m', 'first');
    await writeFile(join(setup.project, 'a.js'), 'bad();\n');
    const finding = {
      ...{ path: 'a.js', first_line: 1, last_line: 1, severity: 'high', category: 'bug', confidence: 'high' },
      ...{ title: 'It is bad.', why: 'It fails.', evidence: 'bad();', old_text: '', new_text: '' },
    };
    setup.api.reply(text(JSON.stringify({ summary: 'Bad.', findings: [finding] })));
    const environment = { GEMINI_MCP_RUNNER: 'api' };
    const { exitCode, stdout, stderr } = await run(['review', '--format=json'], environment);
    expect(JSON.parse(stdout)).toMatchObject({ findings: [{ verified: true, path: 'a.js' }], reviewed: ['a.js'] });
    expect(stderr).toMatch(/^Reading the change\nReviewing 1 file in one question, about \d+ tokens\nEstimated cost /);
    expect(exitCode).toBe(1);
    const usage = await run(['usage', '--by=client', '--json']);
    expect(JSON.parse(usage.stdout).rows).toMatchObject([{ name: 'terminal', calls: 1 }]);
    expect(await run(['review', '--change=nowhere'], environment)).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringContaining('Not reviewed: nowhere is no commit of this repository.'),
    });
  });

  it('usage: sums what the calls of a server have used, failed ones included', async () => {
    const server = await setup.start({ GEMINI_MCP_RUNNER: 'api', GEMINI_MCP_MODELS: 'gemini-3.8-flash' });
    setup.api.reply(text('It rings.'));
    await server.call('chat', { prompt: 'Does it ring?' });
    await server.call('gemini_query', { prompt: 'Does it ring?' });
    setup.api.reply(permissionDenied());
    await server.call('gemini_query', { prompt: 'Does it ring again?' });
    server.endInput();
    await server.ended;
    const { stdout } = await run(['usage', '--by=tool', '--json']);
    const { rows, total } = JSON.parse(stdout);
    expect(total).toMatchObject({ calls: 3, failed: 1, unpricedTokens: 0 });
    expect(total.cost).toBeGreaterThan(0);
    const figures = rows.map(({ name, calls, failed }: Record<string, unknown>) => [name, calls, failed]);
    expect(new Map(figures.map((row: unknown[]) => [row[0], row.slice(1)]))).toEqual(
      new Map([
        ['chat', [1, 0]],
        ['gemini_query', [2, 1]],
      ]),
    );
    expect((await run(['usage'])).stdout).toMatch(/^Model .*\ngemini-3\.8-flash +2 /);
  });

  it('sessions: lists, shows, exports and deletes the conversations that a server has kept', async () => {
    setup.api.reply(text('A bell \u0007 and more.'));
    const server = await setup.start({ GEMINI_MCP_RUNNER: 'api' });
    const { meta } = await server.call('chat', { prompt: 'Ring \u001b[2J it' });
    const id = String(meta?.['sessionId']);
    const listed = await run(['sessions']);
    expect(listed).toMatchObject({ exitCode: 0, stderr: '' });
    expect(listed.stdout).toMatch(new RegExp(`^${id}  .*  2 turns, .*"Ring \\\\u\\{1b\\}\\[2J it"\n$`));
    expect((await run(['sessions', 'show', id])).stdout).toContain('\n| A bell \\u{7} and more.\n');
    const { turns } = JSON.parse((await run(['sessions', 'export', id, '--json'])).stdout);
    expect(turns).toMatchObject([{ text: 'Ring \u001b[2J it' }, { text: 'A bell \u0007 and more.' }]);
    expect(await run(['sessions', 'delete', id])).toMatchObject({ exitCode: 0, stdout: '' });
    expect(await run(['sessions', 'delete', id])).toMatchObject({ exitCode: 1, stdout: '' });
    expect(await run(['sessions'])).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: 'There are no stored conversations.\n',
    });
    // The running server does not know it any more either.
    expect(await server.call('chat-reply', { prompt: 'x', sessionId: id })).toMatchObject({ isError: true });
  });

  it('doctor: all is well, one real call included', async () => {
    setup.api.reply(text('ok'));
    const { exitCode, stdout } = await run(['doctor', '--json']);
    expect(exitCode).toBe(0);
    const { checks } = JSON.parse(stdout);
    const names = checks.map(({ name }: { name: string }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['Node', 'Gemini CLI', 'Login', 'Call', 'State directory', 'Sandbox']),
    );
    expect(setup.api.requests.filter(({ method }) => method === 'streamGenerateContent')).toHaveLength(1);
  });

  it('doctor: says what to do without a login', async () => {
    const { exitCode, stdout } = await run(['doctor'], { GEMINI_API_KEY: undefined });
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/fail +Login[^\n]*\n +-> Make an API key at https:\/\/aistudio/);
    expect(setup.api.requests).toEqual([]);
  });
});
