import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cliAnswer, readInvocations } from '@gemini-mcp/fake-gemini';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AgentCall, playAgent, toldToAgent } from './scripted-agent.ts';
import { ServerSetup } from './server-setup.ts';

const canary = 'CANARY-OUT';

const secrets = ['.env', 'id_rsa', 'key.pem', '.npmrc', '.netrc', '.git/config', '.aws/credentials'];

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

  afterEach(() => setup.dispose());

  const view = (path: string): AgentCall => ['view_file', { file_path: path }];

  const ways = ['link/secret.txt', 'link.txt', 'env.txt', 'zero.txt', '../outside/secret.txt', '/proc/self/environ'];

  it.each(['api', 'headless'])(
    'PATH-04, PATH-09, PATH-10, PATH-12, SECRET-01, SECRET-02, CONFIG-01: chat and geminiChat show Gemini plain files of it, and nothing else (%s)',
    async (runner) => {
      const server = await setup.start({ GEMINI_MCP_RUNNER: runner });
      for (const tool of ['chat', 'geminiChat']) {
        playAgent(
          setup.api,
          [
            [view('plain.txt')],
            [['search_files', { pattern: 'plain|CANARY', is_regex: true }]],
            [['list_files', { pattern: '**/*' }]],
            [...secrets, ...ways, '.gemini/settings.json', 'pipe.txt', 'sparse.txt', 'deep/up/.env'].map(view),
            [
              ['list_files', { dir_path: 'link' }],
              ['look_at', { file_path: 'link.txt' }],
            ],
          ],
          'looked',
        );
        const said = await server.call(tool, { prompt: 'Look around' });
        expect(said).toMatchObject({ isError: false, text: expect.stringMatching(/^looked/) });
        const told = toldToAgent(setup.api);
        expect(told).toHaveLength(22);
        expect(told[0]).toContain('plain text');
        expect(told[1]).toContain('plain.txt:1: plain text');
        expect(told.slice(3, 10).filter((one) => !one.startsWith('Refused: '))).toEqual([]);
      }
      const sent = JSON.stringify(setup.api.requests.map(({ body }) => body));
      expect(sent).not.toContain(canary);
      expect(sent).not.toMatch(/GEMINI_API_KEY=|mcpServers/);
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
