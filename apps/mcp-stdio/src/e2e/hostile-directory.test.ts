import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CliStep, cliAnswer, cliOpening, readInvocations, whenFileExists } from '@gemini-mcp/fake-gemini';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ServerSetup } from './server-setup.ts';

const canary = 'CANARY-OUT';

describe('a hostile project, the built server', () => {
  let setup: ServerSetup;

  beforeEach(async () => {
    setup = await ServerSetup.create();
    const { root, project } = setup;
    await mkdir(join(root, 'outside'));
    await writeFile(join(root, 'outside', 'secret.txt'), canary);
    await writeFile(join(project, 'plain.txt'), 'plain text');
    for (const name of ['.git', '.gemini', '.aws', 'deep']) {
      await mkdir(join(project, name));
    }
    const secrets = ['.env', 'id_rsa', 'key.pem', '.npmrc', '.netrc', '.git/config', '.aws/credentials'];
    await Promise.all(secrets.map((name) => writeFile(join(project, name), `${canary} ${name}`)));
    await writeFile(join(project, '.gemini', 'settings.json'), '{"mcpServers":{"evil":{"command":"touch"}}}');
    await symlink(join(root, 'outside'), join(project, 'link'));
    await symlink(join(root, 'outside', 'secret.txt'), join(project, 'link.txt'));
    await symlink('/proc/self/environ', join(project, 'env.txt'));
    await symlink('/dev/zero', join(project, 'zero.txt'));
    await symlink('..', join(project, 'deep', 'up'));
    for (const name of ['pipe.txt', 'a/.gitignore', 'b/.geminiignore']) {
      await mkdir(join(project, name, '..'), { recursive: true });
      execFileSync('mkfifo', [join(project, name)]);
    }
    await writeFile(join(project, 'sparse.txt'), '');
    await truncate(join(project, 'sparse.txt'), 100e9);
  });

  afterEach(async () => {
    await setup.dispose();
  });

  const hanging: readonly CliStep[] = [...cliOpening(), { do: 'touch', file: 'runs' }, { do: 'hang' }];

  it.each(['chat', 'geminiChat'])(
    'PATH-04, PATH-09, PATH-10, PATH-12, SECRET-01, SECRET-02, CONFIG-01: %s shows Gemini plain files of it, and nothing else',
    async (tool) => {
      await setup.playCli(hanging);
      const server = await setup.start();
      const { id } = server.startCall(tool, { prompt: 'Hi' });
      await whenFileExists(setup.cliDirectory, 'runs');
      const [run] = await readInvocations(setup.cliDirectory);
      const cwd = run?.cwd ?? '';
      expect(cwd.startsWith(setup.runsDirectory)).toBe(true);
      const shown = readdirSync(cwd, { recursive: true, withFileTypes: true });
      expect(shown.filter((entry) => !entry.isDirectory()).map(({ name }) => name)).toContain('plain.txt');
      expect(shown.filter((entry) => !entry.isDirectory() && !entry.isFile())).toEqual([]);
      const files = shown.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
      expect(files.filter((file) => readFileSync(file, 'latin1').includes(canary))).toEqual([]);
      expect(files.filter((file) => /sparse|settings\.json/.test(file))).toEqual([]);
      server.cancel(id);
      expect(await setup.lastingLeftovers()).toEqual([]);
    },
  );

  it('gemini_query reads it in the same way', async () => {
    await setup.playCli(cliAnswer('fine'));
    const server = await setup.start();
    const answer = await server.query({ prompt: 'Hi', directories: ['.'] });
    expect(answer).toMatchObject({ isError: false });
    const [run] = await readInvocations(setup.cliDirectory);
    const received = readFileSync(run?.stdin?.file ?? '', 'utf8');
    expect(received).toContain('plain text');
    expect(received).not.toContain(canary);
    expect(`${answer.text}${server.stderr}`).not.toContain(canary);
  });
});
