import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { CommandPlan } from '@gemini-mcp/core';
import { testUsers } from '@gemini-mcp/fake-gemini';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { commandOf, pipelineOf, planOf } from './commands/testing/plan-of.ts';
import { type BuiltProgram, buildProgram } from './testing/build-program.ts';

/** Opens one run after the other, runs their command lines, and prints the output and the reported changes. */
const modes = `
  async runs() {
    const { readFileSync } = await import('node:fs');
    const { roots, runs, toolPaths, undoes } = JSON.parse(readFileSync(0, 'utf8'));
    const executor = new NodeExecutor({ clock: new SystemClock(), ...options, toolPaths });
    const told = { output: '', changes: [], notes: [], undone: [] };
    for (const [index, plans] of runs.entries()) {
      const places = { workingDirectory, roots, mode: 'full', network: false };
      const opened = await executor.open({ runId: runId + '-' + index, owner: 'alice', ...places }, signal);
      if (!opened.ok) throw new Error(opened.refusal.message);
      const workspace = opened.value;
      for (const plan of plans) {
        const result = await workspace.runCommand({ plan, timeoutMs: 60_000, waitMs: 60_000 }, signal);
        told.output += result.ok ? result.value.output : result.refusal.message;
        told.notes.push(...(result.ok ? result.value.notes : []));
      }
      told.changes.push(...(await workspace.changes(signal)).files.map(({ path }) => path));
      await workspace.close();
    }
    for (const [index] of undoes ? runs.entries() : []) {
      const undone = await executor.undo({ runId: runId + '-' + index, owner: 'alice' }, signal);
      told.undone.push(...undone.paths.map(({ path, outcome }) => path + ' ' + outcome));
    }
    tell(JSON.stringify(told));
  },

  async servers() {
    const { writeFileSync } = await import('node:fs');
    const begin = async (name) => {
      const server = new NodeExecutor({ clock: new SystemClock(), ...options });
      const places = { workingDirectory, roots: [workingDirectory], mode: 'full', network: false };
      const { value: workspace } = await server.open({ runId: name, owner: 'alice', ...places }, signal);
      const script = 'echo begun; while [ ! -e ' + name + ' ]; do sleep 0.02; done; mkdir -p .git/hooks .vscode; ' +
        'echo x > .git/hooks/pre-commit; echo x > .npmrc; echo x > .vscode/tasks.json; echo x > AGENTS.md';
      const plan = planOf('sh', '-c', script);
      const begun = await workspace.runCommand({ plan, timeoutMs: 60_000, waitMs: 0 }, signal);
      const poll = (waitMs) => workspace.pollCommand({ handle: begun.value.handle, waitMs, stop: false }, signal);
      while (!(await poll(20)).value.output.includes('begun'));
      return async () => {
        writeFileSync(workingDirectory + '/' + name, '');
        await poll(60_000);
        await workspace.close();
      };
    };
    const ends = [await begin('first'), await begin('second'), await begin('third')];
    for (const end of ends) await end();
    tell('{}');
  },
`;

/** One command line of several programs, each of which runs regardless of the one before. */
function line(...commands: readonly (readonly [string, ...string[]])[]): CommandPlan {
  const [first = pipelineOf([commandOf(['true'])]), ...others] = commands.map((words) =>
    pipelineOf([commandOf(words)]),
  );
  return { directory: null, pipelines: [first, ...others] };
}

function shell(script: string): readonly [string, ...string[]] {
  return ['sh', '-c', script];
}

type Told = Readonly<Record<'changes' | 'notes' | 'undone', readonly string[]>> & { readonly output: string };

let program: BuiltProgram;
let base: string;

beforeAll(async () => {
  program = await buildProgram(modes);
});

afterAll(() => program.remove());

describe.runIf(process.platform === 'linux').each(testUsers())('a sandbox that $name cannot move', (user) => {
  beforeEach(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'executor-walls-')));
    chmodSync(base, 0o755);
    lchownSync(base, user.id, user.id);
    put('outside/canary.txt', 'CANARY');
    put('project/src/a.txt', 'a');
  });

  afterEach(() => rmSync(base, { recursive: true, force: true }));

  function at(path: string): string {
    return join(base, path);
  }

  function putDirectory(path: string): void {
    if (!existsSync(at(path))) {
      putDirectory(dirname(path));
      mkdirSync(at(path));
      lchownSync(at(path), user.id, user.id);
    }
  }

  function put(path: string, content: string): void {
    putDirectory(dirname(path));
    writeFileSync(at(path), content);
    lchownSync(at(path), user.id, user.id);
  }

  async function runLines(
    runs: readonly (readonly CommandPlan[])[],
    places: {
      readonly roots?: readonly string[];
      readonly workingDirectory?: string;
      readonly state?: string;
      readonly toolPaths?: readonly string[];
      /** Left open by the program that starts the server. */
      readonly inherited?: readonly (number | 'ignore')[];
      readonly mode?: 'runs' | 'servers';
      /** Whether to undo the runs in the end. */
      readonly undoes?: boolean;
    } = {},
  ): Promise<Told> {
    const { roots = [at('project')], workingDirectory = at('project'), inherited = [], mode = 'runs' } = places;
    const { state = at('state'), toolPaths = [], undoes = false } = places;
    const child = spawn(process.execPath, [program.file, mode, state, workingDirectory, 'run'], {
      cwd: base,
      env: { PATH: '/usr/bin:/bin', HOME: base },
      stdio: ['pipe', 'pipe', 'inherit', ...inherited],
      ...(user.id !== process.getuid?.() && { uid: user.id, gid: user.id }),
    });
    child.stdin?.end(JSON.stringify({ roots, runs, toolPaths, undoes }));
    const [said] = await Promise.all([child.stdout === null ? '' : text(child.stdout), once(child, 'close')]);
    return JSON.parse(said);
  }

  function namesIn(path: string): readonly string[] {
    return readdirSync(at(path), { recursive: true, encoding: 'utf8' }).toSorted();
  }

  it('HOST-H1: mounts nothing through a link that an earlier program of the line created', async () => {
    put('project/x/.github/workflows/ci.yml', 'on: push');
    const swap = shell('mv x y; mkdir x; ln -s ../.. x/.github');
    const { output } = await runLines([[line(swap, ['cat', at('outside/canary.txt')], ['ls', base])]]);
    expect(output).not.toContain('CANARY');
    expect(output).toMatch(/Device or resource busy.*No such file.*\nproject\n/s);
  });

  it('HOST-H1: mounts nothing through a link in the place of a directory that an earlier run created', async () => {
    const prepare = planOf('mkdir', '-p', 'x/.claude');
    const swap = shell('mv x y; mkdir x; ln -s ../.. x/.claude');
    const { output } = await runLines([[prepare], [line(swap, ['cat', at('outside/canary.txt')])]]);
    expect(output).not.toContain('CANARY');
  });

  it('HOST-H2: writes nothing outside if one root lies inside another', async () => {
    put('project/pk/sub/b.txt', 'b');
    const swap = shell('mv pk pk2; mkdir pk; ln -s ../.. pk/sub');
    const write = shell(`echo made > ${at('outside/made.txt')}; echo changed > ${at('outside/canary.txt')}`);
    const roots = [at('project'), at('project/pk/sub')];
    await runLines([[line(swap, write), line(write)]], { roots });
    expect(namesIn('outside')).toEqual(['canary.txt']);
    expect(readFileSync(at('outside/canary.txt'), 'utf8')).toBe('CANARY');
  });

  it('HOST-H3: creates no mount point outside', async () => {
    put('project/x/.env', 'KEY=SECRET');
    put('project/x/deep/er/id_rsa', 'SECRET');
    const swap = shell(`mv x y; ln -s /oldroot${at('outside')} x`);
    const { output } = await runLines([[line(swap, ['cat', 'y/.env', 'y/deep/er/id_rsa'])]]);
    expect(namesIn('outside')).toEqual(['canary.txt']);
    expect(output).not.toContain('SECRET');
  });

  it('HOST-H4: uncovers no secret by a rename of its directory, in one line or in two', async () => {
    put('project/packages/api/.env', 'KEY=SECRET');
    const move = ['mv', 'packages/api', 'packages/api3'] as const;
    const read = ['cat', 'packages/api3/.env'] as const;
    const { output, changes } = await runLines([[line(move, read), line(move), line(read)]]);
    expect(output).not.toContain('SECRET');
    expect(changes).toEqual([]);
    expect(namesIn('project/packages')).toEqual(['api', 'api/.env']);
  });

  it('HOST-H4: changes no hook and no setting of a repository whose directory is renamed', async () => {
    put('project/packages/web/.git/config', '[core]\n');
    put('project/packages/web/.git/hooks/pre-commit.sample', 'sample');
    put('project/packages/web/.husky/pre-commit', 'sample');
    const write = 'cd packages/web9; echo x >> .git/config; echo x > .git/hooks/pre-commit; echo x > .husky/pre-commit';
    await runLines([
      [line(shell('mv packages/web packages/web9'), shell(write), shell('mv packages/web9 packages/web'))],
    ]);
    expect(readFileSync(at('project/packages/web/.git/config'), 'utf8')).toBe('[core]\n');
    expect(readFileSync(at('project/packages/web/.husky/pre-commit'), 'utf8')).toBe('sample');
    expect(readdirSync(at('project/packages/web/.git/hooks'))).toEqual(['pre-commit.sample']);
  });

  it('HOST-H1: mounts nothing through a link on the path to a project in /tmp, which commands can write', async () => {
    const swap = shell(`mv ${base} /tmp/moved; rm -rf ${base}; ln -s /oldroot${at('outside')} ${base}`);
    const { output } = await runLines([[line(swap, ['cat', 'src/a.txt']), line(['ls', '-d', '/tmp/moved'])]]);
    expect(namesIn('outside')).toEqual(['canary.txt']);
    expect(output).toMatch(/Device or resource busy/);
    expect(output).toContain("cannot access '/tmp/moved'");
  });

  it('HOST-H2: moves no directory of tools that lies in a root', async () => {
    put('project/opt/tools/bin/tool', '#!/bin/sh\necho tool');
    chmodSync(at('project/opt/tools/bin/tool'), 0o755);
    const swap = shell('mv opt moved; mkdir opt; ln -s ../.. opt/tools; echo x > opt/tools/bin/tool');
    const toolPaths = [at('project/opt/tools')];
    const { output } = await runLines([[line(swap, ['tool'], ['cat', at('outside/canary.txt')])]], { toolPaths });
    expect(output).toMatch(/Device or resource busy.*Read-only file system.*\ntool\n/s);
    expect(output).not.toContain('CANARY');
  });

  it('HOST-M9: runs commands in a root that holds the state directory, without showing or moving it', async () => {
    const state = at('.local/state/server');
    put('.local/state/server/secret.txt', 'SECRET');
    chmodSync(state, 0o700);
    const move = shell('mv ../.local ../moved; cat ../.local/state/server/secret.txt; ls ../.local/state/server');
    const { output } = await runLines([[line(['cat', 'src/a.txt'], move), line(['ls', '../.local/state'])]], {
      roots: [base],
      state,
    });
    expect(output).toMatch(/^amv: .*Device or resource busy\n/);
    expect(output).toMatch(/server\n$/);
    expect(output).not.toContain('SECRET');
    expect(existsSync(at('.local/state/server/secret.txt'))).toBe(true);
  });

  it('HOST-H7: removes only what it created, and all of it, if the working directory is moved', async () => {
    put('project/pk/web/b.txt', 'b');
    for (const name of ['.npmrc', 'AGENTS.md']) {
      put(`outside/web/${name}`, '');
    }
    putDirectory('outside/web/.vscode');
    putDirectory('outside/web/.git');
    const swap = shell(`cd ../..; mv pk pk2 && ln -s ${at('outside')} pk`);
    const { changes } = await runLines([[line(swap)]], { workingDirectory: at('project/pk/web') });
    expect(namesIn('outside/web')).toEqual(['.git', '.npmrc', '.vscode', 'AGENTS.md']);
    expect(namesIn('project')).toEqual(['pk', 'pk/web', 'pk/web/b.txt', 'src', 'src/a.txt']);
    expect(changes).toEqual([]);
  });

  it.each(['555', '000'])(
    'HOST-H7: removes what it created in a directory that a command closed to %s',
    async (mode) => {
      await runLines([[planOf('chmod', mode, '.')]]);
      const reopened = mode === '000' ? 0o500 : 0o555;
      expect(statSync(at('project')).mode & 0o777).toBe(reopened);
      chmodSync(at('project'), 0o755);
      expect(namesIn('project')).toEqual(['src', 'src/a.txt']);
    },
  );

  it("HOST-M4: reports and undoes a command's changes from before it closed the directory to its owner", async () => {
    put('project/closed/deep/b.txt', 'b');
    put('project/c.txt', 'c');
    put('project/d.txt', 'd');
    for (const path of ['project', 'project/closed', 'project/closed/deep']) {
      chmodSync(at(path), 0o755);
    }
    const script =
      'rm d.txt; echo x | tee c.txt closed/deep/b.txt; mkdir new; echo x > new/e; chmod 0 c.txt closed new .';
    const { changes, notes, undone } = await runLines([[planOf('sh', '-c', script), planOf('true')]], { undoes: true });
    expect(changes).toEqual(['.', 'c.txt', 'closed', 'closed/deep/b.txt', 'd.txt', 'new/e']);
    const closed = /^A command closed "\.", "(?:c\.txt|closed|new)", .* to its owner\. It was reopened/;
    expect(notes).toEqual([expect.stringMatching(closed)]);
    expect(undone).toEqual([
      '. restored',
      'c.txt restored',
      'closed restored',
      'closed/deep/b.txt restored',
      'd.txt restored',
      'new/e removed',
    ]);
    expect(namesIn('project')).toEqual([
      'c.txt',
      'closed',
      'closed/deep',
      'closed/deep/b.txt',
      'd.txt',
      'src',
      'src/a.txt',
    ]);
    expect([at('project'), at('project/closed')].map((path) => statSync(path).mode & 0o777)).toEqual([0o755, 0o755]);
  });

  it('HOST-M3: leaves no repository in the place of a link to one', async () => {
    put('project/store/HEAD', 'ref: refs/heads/main');
    putDirectory('project/sub');
    symlinkSync('../store', at('project/sub/.git'));
    lchownSync(at('project/sub/.git'), user.id, user.id);
    const replace = 'rm sub/.git; mkdir sub/.git; echo "[core] fsmonitor = ./evil" > sub/.git/config';
    await runLines([[planOf('sh', '-c', replace)]]);
    expect(namesIn('project/sub')).toEqual(['git-made-by-a-command-1', 'git-made-by-a-command-1/config']);
  });

  it('HOST-H8: passes on no descriptor that the program that started the server left open', async () => {
    const descriptor = openSync(at('outside'), 'r');
    const inherited = [...Array<'ignore'>(37).fill('ignore'), descriptor];
    const { output } = await runLines([[planOf('cat', '/proc/self/fd/40/canary.txt')]], { inherited });
    closeSync(descriptor);
    expect(output).toContain('Not a directory');
  });

  it('HOST-H9: holds the names of a project until the last server that runs a command in it releases them', async () => {
    put('project/.npmrc', 'mine');
    await runLines([], { mode: 'servers' });
    expect(namesIn('project')).toEqual(['.npmrc', 'first', 'second', 'src', 'src/a.txt', 'third']);
    expect(readFileSync(at('project/.npmrc'), 'utf8')).toBe('mine');
  });

  it('HOST-H10: reaches no program outside by a socket in the project, and may remove its own socket', async () => {
    putDirectory('project/run');
    const server = createServer((socket) => socket.end('OUTSIDE')).listen(at('project/run/app.sock'));
    await once(server, 'listening');
    chmodSync(at('project/run/app.sock'), 0o777);
    const connect = `require('net').connect('run/app.sock').on('error', ({ code }) => console.log(code)).on('data', (data) => console.log(String(data)))`;
    const leave = "require('net').createServer().listen('own.sock', () => process.kill(process.pid, 'SIGKILL'))";
    const { output } = await runLines([
      [line(['node', '-e', connect], shell('mv run moved'), ['node', '-e', leave], ['rm', 'own.sock'])],
    ]);
    server.close();
    expect(output).toMatch(/^(?:EACCES|ECONNREFUSED)\nmv: .*Device or resource busy\n$/);
    expect(namesIn('project')).not.toContain('own.sock');
  });
});
