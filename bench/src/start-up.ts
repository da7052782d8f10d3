import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { atMost, type Benchmark, type Comparison } from './benchmark.ts';
import { interleave } from './interleave.ts';
import { serverPath } from './project-paths.ts';
import { readLine } from './read-line.ts';
import { Series } from './series.ts';
import { serverEnvironment } from './server-environment.ts';
import { killGroup, type Program, type Workbench } from './workbench.ts';

/** The least that a Node process can do and still answer a request a line: CommonJS, and nothing but `readline`. */
const bareProgram = `const { createInterface } = require('node:readline');
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id } = JSON.parse(line);
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result: {} }) + '\\n');
});
`;

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1.0.0' } },
};

const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };

/** What is answered once everything has been loaded. */
const listTools = { jsonrpc: '2.0', id: 2, method: 'tools/list' };

/** From the start of the process to the answer to `initialize`. */
export const startUp: Benchmark = {
  name: 'start',
  defaultRounds: 31,
  run: async (workbench, rounds) => {
    const home = await workbench.makeDirectory();
    const environment = serverEnvironment(home);
    const inherited = { ...definedOnly(process.env), ...environment };
    const uncompiled = { ...environment, NODE_DISABLE_COMPILE_CACHE: '1' };
    const compare = (what: string, environment: CompareOptions['environment']): Promise<Comparison> =>
      compareStarts({ workbench, rounds, home, environment, what });
    await keepCompiledCode(workbench, home, environment);
    return [
      await compare('Start to `initialize` answered', environment),
      await compare('The same, without compiled code of an earlier start', uncompiled),
      await compare('The same, with the whole environment of this shell', inherited),
    ];
  },
};

/** File, version of Node, architecture, size, checksum; a file that is being written has its process at the end as well. */
const keptName = /^[a-z]+\.cjs-v[\d.]+-\w+-\d+-[\da-f]+$/;

const patienceMs = 30_000;

/** As the first start of a version does that finds a state directory. Its input stays open, as with a client. */
export async function keepCompiledCode(
  workbench: Workbench,
  home: string,
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  const kept = join(home, 'state', 'compiled');
  await mkdir(kept, { recursive: true, mode: 0o700 });
  const child = workbench.start({ file: process.execPath, arguments: [serverPath], cwd: home, environment });
  child.stdin.write([initialize, initialized, listTools].map((message) => `${JSON.stringify(message)}\n`).join(''));
  const signal = AbortSignal.timeout(patienceMs);
  while ((await readdir(kept)).filter((name) => keptName.test(name)).length < 2) {
    await delay(20, undefined, { signal });
  }
  await killGroup(child);
}

type CompareOptions = {
  readonly workbench: Workbench;
  readonly rounds: number;
  readonly home: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly what: string;
};

async function compareStarts({ workbench, rounds, home, environment, what }: CompareOptions): Promise<Comparison> {
  const barePath = join(home, 'bare.cjs');
  await writeFile(barePath, bareProgram);
  const [bare, ours] = [new Series(), new Series()];
  const time = (path: string): Promise<number> =>
    timeStart(workbench, { file: process.execPath, arguments: [path], cwd: home, environment });
  await interleave(rounds, [
    async () => [{ series: bare, figure: await time(barePath) }],
    async () => [{ series: ours, figure: await time(serverPath) }],
  ]);
  return { what, unit: 'ms', baseline: bare.median, ours: ours.median, target: atMost(1.9) };
}

/** Rejects where the server does not answer. */
export async function timeStart(workbench: Workbench, program: Program): Promise<number> {
  const startedAt = performance.now();
  const child = workbench.start(program);
  child.stdin.write(`${JSON.stringify(initialize)}\n`);
  const line = await readLine(child.stdout);
  const durationMs = performance.now() - startedAt;
  await killGroup(child);
  if (!line.includes('"result"')) {
    throw new Error(`${program.arguments.join(' ')} did not answer initialize but said: ${line.slice(0, 500)}`);
  }
  return durationMs;
}

function definedOnly(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
