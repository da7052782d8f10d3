import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type CliStep,
  createFakeGeminiCli,
  type FakeGeminiApi,
  geminiCliUnderTest,
  startFakeGeminiApi,
} from '@gemini-mcp/fake-gemini';
import { ServerProcess } from './server-process.ts';

/** A directory with all that a server needs, an offline API, and the servers that were started on them. */
export class ServerSetup {
  readonly api: FakeGeminiApi;
  readonly root: string;
  /** The server's working directory. */
  readonly project: string;
  /** Where the scripted CLI lies, with what it has recorded. */
  readonly cliDirectory: string;
  readonly #servers: ServerProcess[] = [];
  #cli: string = geminiCliUnderTest;

  private constructor(api: FakeGeminiApi, root: string) {
    this.api = api;
    this.root = root;
    this.project = join(root, 'project');
    this.cliDirectory = join(root, 'cli');
  }

  static async create(): Promise<ServerSetup> {
    const setup = new ServerSetup(await startFakeGeminiApi(), await mkdtemp(join(tmpdir(), 'gemini-mcp-e2e-')));
    await mkdir(setup.project);
    return setup;
  }

  get runsDirectory(): string {
    return join(this.stateDirectory, 'runs');
  }

  get stateDirectory(): string {
    return join(this.root, 'state');
  }

  /** Lets all servers run a scripted CLI instead of the real one: each of its runs does the next of these, the last one again. */
  async playCli(...runs: readonly [readonly CliStep[], ...(readonly CliStep[])[]]): Promise<void> {
    this.#cli = await createFakeGeminiCli({ scenario: { runs }, directory: this.cliDirectory });
  }

  /** Lets servers that start from now on run another program as the CLI. */
  useCli(path: string): void {
    this.#cli = path;
  }

  /** Starts a server that has answered `initialize`. */
  async start(
    environment: Readonly<Record<string, string>> = {},
    { clientName, flags }: { readonly clientName?: string; readonly flags?: readonly string[] } = {},
  ): Promise<ServerProcess> {
    const server = this.spawn(environment, flags);
    await server.initialize(clientName);
    return server;
  }

  spawn(environment: Readonly<Record<string, string>> = {}, flags: readonly string[] = []): ServerProcess {
    const server = new ServerProcess({
      flags,
      cwd: this.project,
      environment: { ...this.environment(), ...environment },
    });
    this.#servers.push(server);
    return server;
  }

  /** All that a server of this setup is started with. */
  environment(): Readonly<Record<string, string>> {
    return {
      PATH: process.env['PATH'] ?? '',
      HOME: this.root,
      GEMINI_MCP_STATE_DIR: this.stateDirectory,
      GEMINI_MCP_CLI: this.#cli,
      ...this.api.environment(),
    };
  }

  /** What runs have left: their directories, and processes that name this setup's state directory in their environment. */
  async leftovers(): Promise<readonly string[]> {
    const directories = await readdir(this.runsDirectory).catch(() => []);
    return [...directories, ...this.cliProcesses().map((pid) => `process ${pid}`)];
  }

  /** Files anywhere below the state directory whose content holds a word. */
  async filesHolding(word: string): Promise<readonly string[]> {
    const entries = await readdir(this.stateDirectory, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    return files.filter((file) => readFileSync(file, 'latin1').includes(word));
  }

  /** Processes whose home lies in this setup's directory for runs: the CLI's and its descendants'. */
  cliProcesses(): readonly number[] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => environmentOf(pid).includes(`GEMINI_CLI_HOME=${this.runsDirectory}`));
  }

  /** Resolves once nothing is left, or with what there still is when the time is over. */
  async leftoversAfter(limitMs: number): Promise<readonly string[]> {
    const endsAt = performance.now() + limitMs;
    let left = await this.leftovers();
    while (left.length > 0 && performance.now() < endsAt) {
      // The process table tells nobody when it changes.
      await delay(20);
      left = await this.leftovers();
    }
    return left;
  }

  async dispose(): Promise<void> {
    for (const server of this.#servers) {
      server.kill('SIGKILL');
      await server.ended;
    }
    await this.api.close();
    await rm(this.root, { recursive: true, force: true, maxRetries: 5 });
  }
}

function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1');
  } catch {
    return '';
  }
}
