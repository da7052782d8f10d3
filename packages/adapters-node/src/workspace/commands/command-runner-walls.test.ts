import { existsSync, writeFileSync } from 'node:fs';
import { chown, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { CommandPlan, CommandReport } from '@gemini-mcp/core';
import { testUsers } from '@gemini-mcp/fake-gemini';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { planOf } from './testing/plan-of.ts';
import { UserPlace } from './testing/run-as.ts';

let place: UserPlace;

describe.runIf(process.platform === 'linux').each(testUsers())('the sandbox of a command of $name', (user) => {
  beforeEach(async () => {
    place = await UserPlace.make(user);
  });

  afterEach(() => place.remove());

  async function run(...plans: readonly CommandPlan[]): Promise<readonly CommandReport[]> {
    const results = await place.run({ plans });
    return results.map((result) => {
      if (!result.ok) {
        throw new Error(JSON.stringify(result.refusal));
      }
      return result.value;
    });
  }

  async function put(path: string, content: string): Promise<void> {
    await writeFile(join(place.project, path), content);
    await chown(join(place.project, path), user.id, user.id);
  }

  async function putDirectory(path: string): Promise<void> {
    await mkdir(join(place.project, path));
    await chown(join(place.project, path), user.id, user.id);
  }

  it("SHELL-16: shows only the machine's programs, and none of the server's variables", async () => {
    await writeFile(join(place.base, 'secret.txt'), 'canary');
    const script = [
      `cat ${place.base}/secret.txt ../secret.txt`,
      'cat /etc/shadow /root/.bashrc ~/.ssh/id_rsa',
      'cat /etc/passwd',
      'ls -A / /home ~ /tmp',
      'env',
      'cat /proc/1/environ | tr "\\0" "\\n"',
      'ls /proc | grep -c "^[0-9]"',
    ].join('; ');
    const [report] = await run(planOf('sh', '-c', script));
    expect(report?.output).not.toMatch(/canary|AIza|SECRET_KEY|root:x:0:0:root/);
    expect(report?.output).toContain('/home:\ngemini\n');
    expect(Number(report?.output.trim().split('\n').at(-1))).toBeLessThan(8);
  });

  it('HOST-M5: shows the settings of repositories without their credentials, and no credential file', async () => {
    const settings = '[core]\n\tbare = false\n[remote "o"]\n\turl = https://ada:s3cr3t@example.org/a.git\n';
    const directories = ['.git', '.git/modules', '.git/modules/a', '.git/git-crypt', 'sub', 'sub/.git'];
    for (const directory of directories) {
      await putDirectory(directory);
    }
    const files = ['.git/config', '.git/modules/a/config', 'sub/.git/config', '.git/credentials', '.git/git-crypt/key'];
    for (const file of files) {
      await put(file, settings);
    }
    const [report] = await run(planOf('sh', '-c', `cat ${files.join(' ')}; cp -r .git x; grep -r s3cr3t .`));
    expect(report?.output).toContain('url = https://example.org/a.git');
    expect(report?.output).not.toContain('s3cr3t');
    expect(await readFile(join(place.project, '.git/config'), 'utf8')).toBe(settings);
  });

  it('SHELL-18: prevents the creation of protected files, and leaves nothing in the project', async () => {
    const script = `
      for f in .git/hooks/pre-commit .gemini/settings.json .vscode/tasks.json .husky/pre-push .github/workflows/ci.yml; do
        mkdir -p "$(dirname $f)"; echo x > $f
      done
      for f in .env .npmrc .mcp.json GEMINI.md .envrc .gitlab-ci.yml; do echo x > $f; rm -f $f; mv ok $f; done
      rm -rf .git .gemini; mkdir .git; ln -s /tmp .claude; mv .vscode elsewhere; git init
      echo done > ok`;
    const [report] = await run(planOf('sh', '-c', script));
    expect(report?.output).toContain('Read-only file system');
    expect(await readdir(place.project)).toEqual(['ok']);
  });

  it('SHELL-18: keeps protected files unchanged, even deep in the project', async () => {
    await putDirectory('.git');
    await put('.git/config', '[core]\n');
    await putDirectory('sub');
    await putDirectory('sub/.gemini');
    await put('sub/.gemini/settings.json', '{}');
    const script =
      'echo x >> .git/config; echo x > .git/hooks; echo x > sub/.gemini/settings.json; rm -rf .git sub/.gemini; mv .git g';
    await run(planOf('sh', '-c', script));
    expect(await readFile(join(place.project, '.git/config'), 'utf8')).toBe('[core]\n');
    expect(await readdir(join(place.project, '.git'))).toEqual(['config']);
    expect(await readFile(join(place.project, 'sub/.gemini/settings.json'), 'utf8')).toBe('{}');
  });

  it('SHELL-16: hides secrets of the project', async () => {
    await put('.env', 'KEY=canary');
    await putDirectory('sub');
    await put('sub/id_rsa', 'canary');
    const [report] = await run(planOf('sh', '-c', 'cat .env sub/id_rsa; cp .env x; grep -r canary .; echo x > .env'));
    expect(report?.output).not.toContain('canary');
    expect(await readFile(join(place.project, '.env'), 'utf8')).toBe('KEY=canary');
  });

  it('HOST-H6: hides secrets in third-party directories and in a project of 55,000 files', async () => {
    const names = ['vendor', 'target', 'node_modules', 'node_modules/x', '.venv', 'services', 'services/conf', 'data'];
    for (const name of names) {
      await putDirectory(name);
    }
    await put('vendor/.env', 'canary');
    await put('target/prod.env', 'canary');
    await put('node_modules/x/.npmrc', 'canary');
    await put('.venv/key.pem', 'canary');
    await put('services/conf/.env', 'canary');
    for (let index = 0; index < 55_000; index += 1) {
      writeFileSync(join(place.project, 'data', String(index)), '');
    }
    const [report] = await run(
      planOf('sh', '-c', 'cat vendor/.env target/prod.env node_modules/x/.npmrc .venv/key.pem services/conf/.env'),
    );
    expect(report?.output).not.toContain('canary');
    expect(report?.output.match(/Permission denied/g)).toHaveLength(5);
  });

  it('HOST-M3: keeps installed programs unchanged, unless the user allowed the command', async () => {
    await putDirectory('node_modules');
    await putDirectory('node_modules/.bin');
    await put('node_modules/.bin/tsc', 'original');
    const command = planOf('sh', '-c', 'echo changed > node_modules/.bin/tsc; cat node_modules/.bin/tsc');
    const [report] = await run(command);
    expect(report?.output).toContain('original');
    const [allowed] = await place.run({ plans: [command], isAllowedByUser: true });
    expect(allowed).toMatchObject({ ok: true, value: { output: 'changed\n' } });
  });

  it('changes build inputs, as an install must', async () => {
    await put('package.json', '{}');
    await run(planOf('sh', '-c', 'echo "{ }" > package.json; mkdir node_modules; echo x > package-lock.json'));
    expect(await readFile(join(place.project, 'package.json'), 'utf8')).toBe('{ }\n');
    expect(await readdir(place.project)).toEqual(['node_modules', 'package-lock.json', 'package.json']);
  });

  it('SHELL-21: reaches no address, and a port that it opens does not exist outside', async () => {
    let reached = 0;
    const server = createServer((socket) => {
      reached += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const script = `
      const net = require('node:net');
      const tell = (name) => (error) => console.log(name, error.code);
      net.connect(${port}, '127.0.0.1').on('error', tell('server'));
      net.connect(80, '169.254.169.254').on('error', tell('metadata'));`;
    const [report] = await run(planOf('node', '-e', script));
    server.close();
    expect(reached).toBe(0);
    expect(report?.output).toMatch(/server ECONNREFUSED/);
    expect(report?.output).toMatch(/metadata ENETUNREACH/);
  });

  it('has no capability, no further namespace, and cannot change the system', async () => {
    const script =
      'grep CapEff /proc/self/status; unshare -U true; mount -t tmpfs x /tmp; touch /usr/x /x /dev/x /etc/x; mknod d c 1 3; chroot / true';
    const [report] = await run(planOf('sh', '-c', script));
    expect(report?.output).toContain('CapEff:\t0000000000000000');
    expect(report?.output.match(/Read-only file system/g)).toHaveLength(4);
    expect(report?.output).toMatch(/unshare: unshare failed/);
    expect(existsSync(join(place.project, 'd'))).toBe(false);
  });

  it('shares /tmp and the home among the commands of a run, and removes them afterwards', async () => {
    const reports = await run(
      planOf('sh', '-c', 'echo a > /tmp/a; echo b > ~/b; mkdir /tmp/shut; touch /tmp/shut/x; chmod 000 /tmp/shut'),
      planOf('sh', '-c', 'cat /tmp/a ~/b'),
    );
    expect(reports[1]?.output).toBe('a\nb\n');
    expect(await readdir(place.runsDirectory)).toEqual([]);
  });
});
