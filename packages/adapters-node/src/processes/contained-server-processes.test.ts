import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServerProcess, ServerProgram } from '@gemini-mcp/core/internal';
import { makeSafeDirectory, processesWith, timeUntilGone } from '@gemini-mcp/fake-gemini';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ContainedServerProcesses } from './contained-server-processes.ts';
import { ProgramPath } from './programs/program-path.ts';

/** Starts a server for each shell script among its arguments, reports on standard output that they run, and waits to be killed. */
const program = `
  import { ProgramPath } from './programs/program-path.ts';
  import { ContainedServerProcesses } from './contained-server-processes.ts';

  const processes = new ContainedServerProcesses({
    environment: process.env,
    programPath: new ProgramPath({ environment: process.env }),
  });
  const scripts = process.argv.slice(2);
  for (const script of scripts) {
    const start = await processes.start(
      { command: 'sh', arguments: ['-c', script], environment: {}, workingDirectory: '/' },
      new AbortController().signal,
    );
    if (start.started) {
      // The first thing that a script writes says that all its processes are there.
      await start.process.output[Symbol.asyncIterator]().next();
    }
  }
  process.stdout.write('running');
  setInterval(() => undefined, 60_000);
`;

const never = new AbortController().signal;
const killRounds = Number(process.env['GEMINI_MCP_KILL_ROUNDS'] ?? 4);

let root: string;
let killable: string;
const running: ServerProcess[] = [];

beforeAll(async () => {
  root = await makeSafeDirectory();
  killable = join(root, 'start-servers.mjs');
  await build({
    stdin: { contents: program, resolveDir: import.meta.dirname, loader: 'ts' },
    conditions: ['@gemini-mcp/source'],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    outfile: killable,
    logLevel: 'silent',
  });
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.end()));
});

afterAll(() => rm(root, { recursive: true, force: true }));

async function start(program: Partial<ServerProgram>, environment = process.env, roots: readonly string[] = []) {
  const processes = new ContainedServerProcesses({
    environment,
    programPath: new ProgramPath({ environment, roots }),
  });
  const asked = { command: 'sh', arguments: [], environment: {}, workingDirectory: root, ...program };
  const outcome = await processes.start(asked, never);
  if (outcome.started) {
    running.push(outcome.process);
  }
  return outcome;
}

async function startScript(script: string): Promise<ServerProcess> {
  const outcome = await start({ arguments: ['-c', script] });
  if (!outcome.started) {
    throw new Error(outcome.detail);
  }
  return outcome.process;
}

async function read(server: ServerProcess): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of server.output) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

describe.runIf(process.platform === 'linux')('ContainedServerProcesses', () => {
  it('CONFIG-07, UPSTREAM-L5: a server sees common variables and those of its configuration, and no key of ours', async () => {
    const outcome = await start(
      {
        command: 'node',
        arguments: ['-e', 'console.log(JSON.stringify([process.env, process.cwd()]))'],
        environment: { TOKEN: 'its own', PATH: root },
      },
      {
        ...process.env,
        HOME: '/home/ada',
        GEMINI_API_KEY: 'secret',
        NODE_OPTIONS: '--no-warnings',
        LD_PRELOAD: '',
        HTTPS_PROXY: 'http://ada:s3cret@proxy.example:8080',
        https_proxy: 'ada:p@ss@proxy.example:8080',
      },
    );
    const [environment, directory] = JSON.parse(outcome.started ? await read(outcome.process) : '[]');
    expect(environment).toMatchObject({ HOME: '/home/ada', TOKEN: 'its own', PATH: expect.not.stringContaining(root) });
    expect(environment).toMatchObject({
      HTTPS_PROXY: 'http://proxy.example:8080',
      https_proxy: 'proxy.example:8080',
    });
    expect(Object.keys(environment)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/GEMINI_API_KEY|NODE_OPTIONS|LD_PRELOAD/)]),
    );
    expect(directory).toBe(root);
  });

  it('PROGRAM-01: no program is run from a directory of a project, and the refusal says why', async () => {
    const project = join(root, 'project');
    await mkdir(project);
    await writeFile(join(project, 'server-of-project'), `#!/bin/sh\ntouch '${root}/PWN'\n`, { mode: 0o755 });
    await chmod(project, 0o755);
    const environment = { ...process.env, PATH: `${project}:${process.env['PATH']}` };
    const outcome = await start({ command: 'server-of-project' }, environment, [project]);
    expect(outcome).toEqual({
      started: false,
      detail: expect.stringMatching(
        /"server-of-project" was not found, or others can write to its place.*belongs to a directory that calls may read/,
      ),
    });
    await expect(readFile(join(root, 'PWN'))).rejects.toThrow(/ENOENT/);
  });

  it.each([
    ['./server', 'Use a program name or an absolute path: "./server" is neither.'],
    ['', 'Use a program name or an absolute path: "" is neither.'],
    ['/nowhere/server\u202e', '/nowhere/server\\u{202e} does not exist or is not an executable program.'],
  ])('a command that is not a program is refused with an explanation: %j', async (command, detail) => {
    expect(await start({ command })).toEqual({ started: false, detail });
  });

  it('a missing directory is reported', async () => {
    expect(await start({ workingDirectory: join(root, 'missing') })).toEqual({
      started: false,
      detail: expect.stringContaining('no longer exists'),
    });
  });

  it('nothing is started after an abort', async () => {
    const processes = new ContainedServerProcesses({
      environment: {},
      programPath: new ProgramPath({ environment: {} }),
    });
    const program = {
      command: '/bin/sh',
      arguments: ['-c', `touch '${root}/begun'`],
      environment: {},
      workingDirectory: root,
    };
    expect(await processes.start(program, AbortSignal.abort())).toMatchObject({ started: false });
    await expect(readFile(join(root, 'begun'))).rejects.toThrow(/ENOENT/);
  });

  it('input arrives, and the end includes the last of standard error', async () => {
    const server = await startScript('read line; echo "got $line"; echo "no more" >&2; exit 3');
    await server.write('hello\n');
    expect(await read(server)).toBe('got hello\n');
    expect(await server.ended).toEqual({ detail: 'it exited with code 3', errorText: 'no more\n' });
  });

  it('HUB-21: a server that writes endlessly, and is not read, waits', async () => {
    const done = join(root, 'wrote-all');
    const server = await startScript(`head -c 50000000 /dev/zero; touch '${done}'`);
    await server.output[Symbol.asyncIterator]().next();
    await server.end();
    await expect(readFile(done)).rejects.toThrow(/ENOENT/);
  });

  it('writing to a server that reads nothing ends with the server', async () => {
    const server = await startScript('echo here; exec sleep 300');
    await server.output[Symbol.asyncIterator]().next();
    const writing = Promise.all(Array.from({ length: 20 }, () => server.write('x'.repeat(1_000_000))));
    await server.end();
    await writing;
    await server.write('late');
  });

  it('HUB-23: its end leaves no process, not even one that left the group and ignores SIGTERM', async () => {
    const word = randomUUID();
    const server = await startScript(
      `setsid sh -c 'trap "" TERM; echo up; while :; do sleep 1; done' ${word} & trap "" TERM; while :; do sleep 1; done`,
    );
    await server.output[Symbol.asyncIterator]().next();
    expect(processesWith(word)).not.toEqual([]);
    const gone = timeUntilGone(word);
    await server.end();
    expect(processesWith(word)).toEqual([]);
    // The clients of this program wait two seconds for it to end.
    expect(await gone).toBeLessThan(2_000);
  });

  it(`HUB-24: CLI-05: kill -9 of this process leaves no server process after two seconds, including grandchildren that left the group (${killRounds} rounds)`, async () => {
    for (let round = 0; round < killRounds; round += 1) {
      const word = randomUUID();
      const grandchild = `setsid sh -c 'trap "" TERM HUP; echo up; while :; do sleep 1; done' ${word}`;
      const parent = spawn(
        process.execPath,
        [killable, `${grandchild} & wait`, `sh -c '${grandchild.replaceAll("'", `'\\''`)} & wait' & wait`],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      await once(parent.stdout, 'data');
      expect(processesWith(word).length).toBeGreaterThanOrEqual(2);
      parent.kill('SIGKILL');
      expect(await timeUntilGone(word)).toBeLessThanOrEqual(2_000);
    }
  });
});
