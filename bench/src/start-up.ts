import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { atMost, type Benchmark, figureBelow } from './benchmark.ts';
import { inTurns, median } from './in-turns.ts';
import { serverEnvironment } from './offline-place.ts';
import { serverPath } from './project-paths.ts';
import { plainProgram } from './upstreams/plain-server.ts';
import { killGroup, type Program, readLine, type Workbench } from './workbench.ts';

/** The least a Node process can do and still answer one request per line: CommonJS, and nothing but `readline`. */
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
const modern = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  },
};
/** How a client of revision 2026-07-28 opens. */
const discover = { jsonrpc: '2.0', id: 1, method: 'server/discover', params: modern };
const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
const listTools = { jsonrpc: '2.0', id: 2, method: 'tools/list' };

const servers = 20;

type Environment = Readonly<Record<string, string>>;

/** From the start of the process to its first answer. */
export const startUp: Benchmark = {
  name: 'start',
  defaultRounds: 31,
  run: async (workbench, rounds) => {
    const home = await makeHome(workbench, 0);
    const upstreamsHome = await makeHome(workbench, servers);
    const barePath = join(home, 'bare.cjs');
    await writeFile(barePath, bareProgram);
    const environment = serverEnvironment(home);
    const uncompiled = { ...environment, NODE_DISABLE_COMPILE_CACHE: '1' };
    const time = async (path: string, variables: Environment, first: object = initialize): Promise<number> =>
      (await timeStart(workbench, { ...programOf(path, home), environment: variables }, [first])).firstMs;
    const timeList = async (...messages: readonly object[]): Promise<number> =>
      (await timeStart(workbench, { ...programOf(serverPath, home), environment }, messages)).moreMs;
    const times = await inTurns(rounds, [
      async () => ({ bare: await time(barePath, environment) }),
      async () => ({ ours: await time(serverPath, environment) }),
      async () => ({ discovered: await time(serverPath, environment, discover) }),
      async () => ({ listed: await timeList(initialize, initialized, listTools) }),
      async () => ({ modernListed: await timeList(discover, { ...listTools, params: modern }) }),
      async () => ({ withServers: await time(serverPath, serverEnvironment(upstreamsHome)) }),
      async () => ({ bareUncompiled: await time(barePath, uncompiled) }),
      async () => ({ uncompiled: await time(serverPath, uncompiled) }),
    ]);
    const [bare, ours] = [median(times.bare), median(times.ours)];
    return [
      { what: 'Start to `initialize` answered', baseline: bare, ours, target: atMost(1.4) },
      {
        what: 'Start to `server/discover` answered',
        baseline: bare,
        ours: median(times.discovered),
        target: atMost(1.2),
      },
      {
        what: 'From there to the first `tools/list` answered',
        ours: median(times.modernListed),
        target: figureBelow(30),
      },
      {
        what: '`initialize` answered to the first `tools/list` answered',
        ours: median(times.listed),
        target: figureBelow(30),
      },
      {
        what: 'Start to `initialize` answered, without compiled code of an earlier start',
        baseline: median(times.bareUncompiled),
        ours: median(times.uncompiled),
      },
      {
        what: `The same, with ${servers} servers in the settings; against none`,
        baseline: ours,
        ours: median(times.withServers),
        target: atMost(1.05),
      },
    ];
  },
};

async function makeHome(workbench: Workbench, count: number): Promise<string> {
  const home = await workbench.makeDirectory();
  const directory = join(home, '.config', 'gemini-mcp-server');
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const entries = Array.from({ length: count }, (_, index) => [`server-${index}`, plainProgram(30)]);
  const settings = { mcpServers: Object.fromEntries(entries) };
  await writeFile(join(directory, 'settings.json'), JSON.stringify(settings), { mode: 0o600 });
  await keepCompiledCode(workbench, home);
  return home;
}

/** File, version of Node, architecture, size, checksum; a file that is being written has its process at the end as well. */
const keptName = /^[a-z]+\.cjs-v[\d.]+-\w+-\d+-[\da-f]+$/;

/** As the first start of a version does that finds a state directory. Its input stays open, as with a client. */
export async function keepCompiledCode(workbench: Workbench, home: string): Promise<void> {
  const kept = join(home, 'state', 'compiled');
  await mkdir(kept, { recursive: true, mode: 0o700 });
  const environment = serverEnvironment(home);
  const child = workbench.start({ ...programOf(serverPath, home), environment });
  child.stdin.write([initialize, initialized, listTools].map((message) => `${JSON.stringify(message)}\n`).join(''));
  const signal = AbortSignal.timeout(30_000);
  while ((await readdir(kept)).filter((name) => keptName.test(name)).length < 3) {
    await delay(20, undefined, { signal });
  }
  await killGroup(child);
}

function programOf(path: string, home: string): Program {
  return { file: process.execPath, arguments: [path], cwd: home };
}

type StartTimes = {
  /** From the start to the answer to the first message. */
  readonly firstMs: number;
  /** From there to the answer to the other messages, which are sent then. */
  readonly moreMs: number;
};

async function timeStart(
  workbench: Workbench,
  program: Program,
  [first, ...others]: readonly object[],
): Promise<StartTimes> {
  const startedAtMs = performance.now();
  const child = workbench.start(program);
  const send = (...messages: readonly unknown[]): void =>
    void child.stdin.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
  const receive = async (): Promise<void> => {
    const line = await readLine(child.stdout);
    if (!line.includes('"result"')) {
      throw new Error(`${program.arguments.join(' ')} did not answer but said: ${line.slice(0, 500)}`);
    }
  };
  send(first);
  await receive();
  const answeredAtMs = performance.now();
  if (others.length > 0) {
    send(...others);
    await receive();
  }
  const endedAtMs = performance.now();
  await killGroup(child);
  return { firstMs: answeredAtMs - startedAtMs, moreMs: endedAtMs - answeredAtMs };
}
