import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  describeStoredRequests,
  type OfflineGeminiApi,
  startOfflineGeminiApi,
} from '@gemini-mcp/port-contracts/offline-api';
import { createFakeGeminiCli } from './fake-cli/create-fake-gemini-cli.ts';
import type { CliStep } from './fake-cli/scenario.ts';
import { geminiCliUnderTest } from './gemini-cli/gemini-cli-under-test.ts';

export type RunnerUnderTest = 'auto' | 'api' | 'headless' | 'warm';

/** The CLI backends under which each tool must work; a single one if the environment selects it. */
export const runnersUnderTest: readonly RunnerUnderTest[] = readRunners(process.env['GEMINI_MCP_RUNNER']);

/** The parts of an offline place. */
export type OfflineParts = {
  readonly api: OfflineGeminiApi;
  readonly root: string;
  /** How servers run the CLI. */
  readonly runner: RunnerUnderTest;
};

/** A server as a separate process, started by a test. */
export type ServerUnderTest = {
  readonly pid: number;
  readonly ended: Promise<unknown>;
  kill(signal: NodeJS.Signals): void;
};

/** A directory with everything that a server needs, an offline API, and the servers started on them. */
export class OfflinePlace {
  readonly api: OfflineGeminiApi;
  readonly root: string;
  /** The server's working directory. */
  readonly project: string;
  /** The directory of the scripted CLI and its records. */
  readonly cliDirectory: string;
  /** For servers whose users allow Google to log requests. */
  storesRequests = false;
  readonly #servers: ServerUnderTest[] = [];
  #cli: string = geminiCliUnderTest;
  #runner: RunnerUnderTest;

  protected constructor({ api, root, runner }: OfflineParts) {
    this.api = api;
    this.root = root;
    this.#runner = runner;
    this.project = join(root, 'project');
    this.cliDirectory = join(root, 'cli');
  }

  /** Its parts, created for it. */
  protected static async createParts(runner: RunnerUnderTest = usualRunner()): Promise<OfflineParts> {
    const root = await mkdtemp(join(tmpdir(), 'gemini-mcp-e2e-'));
    const parts = { api: await startOfflineGeminiApi(), root, runner };
    await mkdir(join(root, 'project'));
    return parts;
  }

  get runsDirectory(): string {
    return join(this.stateDirectory, 'runs');
  }

  get stateDirectory(): string {
    return join(this.root, 'state');
  }

  /**
   * Makes all servers run a scripted CLI instead of the real one: each of its runs plays the next of these, the last one repeatedly. One
   * process per call, as the script requires.
   */
  async playCli(...runs: readonly [readonly CliStep[], ...(readonly CliStep[])[]]): Promise<void> {
    this.useCli(await createFakeGeminiCli({ scenario: { runs }, directory: this.cliDirectory }));
  }

  /** Makes servers that start from now on run another program as the CLI, one process per call. */
  useCli(path: string): void {
    this.#cli = path;
    this.#runner = 'headless';
  }

  /** Writes the settings of upstream servers, again to change them. Resolves to the variable that names their file. */
  async writeServers(mcpServers: object): Promise<Readonly<Record<'GEMINI_MCP_SERVERS_FILE', string>>> {
    const path = join(this.root, 'servers.json');
    await writeFile(path, JSON.stringify({ mcpServers }), { mode: 0o600 });
    return { GEMINI_MCP_SERVERS_FILE: path };
  }

  /** Adopts a server: the place ends it, and does not count the processes that it keeps running as leftovers. */
  protected adopt(server: ServerUnderTest): void {
    this.#servers.push(server);
  }

  /** The environment of this place's servers. */
  environment(): Readonly<Record<string, string>> {
    return {
      PATH: process.env['PATH'] ?? '',
      HOME: this.root,
      GEMINI_MCP_STATE_DIR: this.stateDirectory,
      GEMINI_MCP_CLI: this.#cli,
      GEMINI_MCP_RUNNER: this.#runner,
      ...this.api.environment(),
    };
  }

  /** The same on a machine without any CLI, with only the key of the offline API. */
  environmentWithoutCli(): Readonly<Record<string, string>> {
    const { GEMINI_MCP_CLI, GEMINI_MCP_RUNNER, ...environment } = this.environment();
    return { ...environment, PATH: join(this.root, 'no-programs') };
  }

  /**
   * The leftovers of runs: their directories, their processes, and the CLI's reports of failed calls. Warm processes of a living server
   * of this place do not count; without their server they do. The code that Node has compiled stays for the next process.
   */
  async leftovers(): Promise<readonly string[]> {
    const processes = this.cliProcesses();
    const warm = processes.filter((pid) => this.#isKeptWarm(pid));
    const homes = warm.map(environmentOf);
    const isKept = (runId: string): boolean => homes.some((home) => home.includes(join(this.runsDirectory, runId)));
    const directories = await readdir(this.runsDirectory).catch(() => []);
    const files = await readdir(this.runsDirectory, { recursive: true }).catch(() => []);
    return [
      ...directories.filter((name) => name !== 'compiled' && !isKept(name)),
      ...files.filter((name) => name.includes('gemini-client-error-')),
      ...processes.filter((pid) => !warm.includes(pid)).map((pid) => `process ${pid}`),
    ];
  }

  /** Files anywhere below the state directory whose content holds a word; empty if the directory does not exist. */
  async filesHolding(word: string): Promise<readonly string[]> {
    const entries = await readdir(this.stateDirectory, { recursive: true, withFileTypes: true }).catch(() => []);
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    return files.filter((file) => readFileSync(file, 'latin1').includes(word));
  }

  /** Processes whose home is in this place's directory for runs: the CLI's and its descendants'. */
  cliProcesses(): readonly number[] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => environmentOf(pid).includes(`GEMINI_CLI_HOME=${this.runsDirectory}`));
  }

  /**
   * Resolves to an empty list once all leftovers are gone, or to the leftovers after half a minute, which is long on a busy machine too.
   */
  async lastingLeftovers(): Promise<readonly string[]> {
    return listLasting(() => this.leftovers());
  }

  /** The same for processes alone: the next server removes the files that a killed server left on the disk. */
  async lastingProcesses(): Promise<readonly number[]> {
    return listLasting(async () => this.cliProcesses());
  }

  /** Whether a process is in session mode, and a descendant of a living server. */
  #isKeptWarm(pid: number): boolean {
    return readProcess(pid, 'cmdline').includes('\0--acp') && ancestorsOf(pid).some((one) => this.#isServer(one));
  }

  #isServer(pid: number): boolean {
    return this.#servers.some((server) => server.pid === pid);
  }

  /** Ends its servers and removes everything. Rejects if a server has sent a request that Google would store. */
  async dispose(): Promise<void> {
    for (const server of this.#servers) {
      server.kill('SIGKILL');
      await server.ended;
    }
    await this.api.close();
    await rm(this.root, { recursive: true, force: true, maxRetries: 5 });
    const stored = this.storesRequests ? [] : describeStoredRequests(this.api);
    if (stored.length > 0) {
      throw new Error(`A server of this place has left ${stored.join(', ')}`);
    }
  }
}

async function listLasting<Left>(list: () => Promise<readonly Left[]>): Promise<readonly Left[]> {
  const endsAt = performance.now() + 30_000;
  let left = await list();
  while (left.length > 0 && performance.now() < endsAt) {
    // The process table sends no signal when it changes.
    await delay(20);
    left = await list();
  }
  return left;
}

function environmentOf(pid: number): string {
  return readProcess(pid, 'environ');
}

/** Empty for a process that has ended. */
function readProcess(pid: number, file: 'environ' | 'cmdline' | 'stat'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}

/** Itself first. An orphan is a child of the first process. */
function ancestorsOf(pid: number): readonly number[] {
  const stat = readProcess(pid, 'stat');
  // Counted after the name, which may contain blanks.
  const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  return parent > 1 ? [pid, ...ancestorsOf(parent)] : [pid];
}

function usualRunner(): RunnerUnderTest {
  const [only, ...others] = runnersUnderTest;
  return only === undefined || others.length > 0 ? 'warm' : only;
}

function readRunners(name: string | undefined): readonly RunnerUnderTest[] {
  return name === 'auto' || name === 'headless' || name === 'warm' ? [name] : ['headless', 'warm'];
}
