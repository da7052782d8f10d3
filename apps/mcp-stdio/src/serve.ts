import { Console } from 'node:console';
import { dirname } from 'node:path';
import type { Writable } from 'node:stream';
import { leaveRemovedDirectory, SystemClock, secretValues } from '@gemini-mcp/adapters-node/internal/startup';
import { createRedactor, escapeControls } from '@gemini-mcp/core/internal';
import { type StdioServed, type SurfaceSource, serveStdio } from '@gemini-mcp/mcp';
import {
  type CommandLine,
  type Configuration,
  createEarlyLog,
  createProtocolLog,
  describeNoRoot,
  type Log,
  type LogLevel,
  type LogOptions,
  parseCommandLine,
  refuseNode,
  refuseStateDirectory,
  warnOfRetiredModels,
} from '@gemini-mcp/server';
import { serverVersion } from './server-version.ts';
import type { StartedServer, StdioServerStart } from './start-server.ts';
import { readStdioSettings, stdioProgram } from './stdio-program.ts';
import { readToolsAtStart } from './tools-at-start.ts';

/** Longer than a stubborn process may take to die, shorter than a client's patience. */
const lastCallsMs = 2_500;

const usageErrorExitCode = 2;

/** For a user who started the server by hand instead of through a client. */
const waitingForClient =
  'Waiting for an MCP client on stdin. To set one up: --print-config <client>. To check this machine: doctor. To end: Ctrl-C.\n';

export type StdioServerProcess = {
  /** Called when the code that calls need has been loaded, after the answer to the first message. */
  readonly onLoaded: () => void;
};

/** Runs what the command line asks for, and ends the process. */
export function start(serverProcess: StdioServerProcess): void {
  main(serverProcess).then((exitCode) => process.exit(exitCode), fail);
}

function fail(error: unknown): never {
  const redact = createRedactor(secretValues(process.env));
  // A Node that is too old fails with messages that do not help.
  const message =
    refuseNode(process.versions.node, stdioProgram) ?? (error instanceof Error ? error.message : 'unexpected error');
  process.stderr.write(`${stdioProgram.name}: ${escapeControls(redact(message))}\n`);
  process.exit(isConfigurationError(error) ? usageErrorExitCode : 1);
}

/** By name, because lazily loaded code has its own copy of the class. */
function isConfigurationError(error: unknown): boolean {
  return error instanceof Error && error.name === 'ConfigurationError';
}

async function main(serverProcess: StdioServerProcess): Promise<number> {
  guardStdout();
  const removed = leaveRemovedDirectory();
  if (removed !== null) {
    process.stderr.write(`${stdioProgram.name}: ${removed}\n`);
  }
  const { mode, flags } = readCommandLine(process.argv.slice(2));
  if (mode.kind === 'serve') {
    const refusal = refuseNode(process.versions.node, stdioProgram);
    if (refusal !== null) {
      throw new Error(refusal);
    }
    return serve(flags, serverProcess);
  }
  const { runOperatorCommand } = await import('./late.ts');
  return runOperatorCommand({ mode, flags });
}

/** Most servers are started without arguments, and Node takes 2 ms to load what reads them. */
function readCommandLine(args: readonly string[]): CommandLine {
  return args.length === 0 ? { mode: { kind: 'serve' }, flags: new Map() } : parseCommandLine(args, stdioProgram);
}

async function serve(flags: CommandLine['flags'], { onLoaded }: StdioServerProcess): Promise<number> {
  const { stderr, env: environment } = process;
  const sources = { environment, flags, currentDirectory: process.cwd(), programPath: __filename };
  const { configuration, warnings } = readStdioSettings(sources);
  refuseStateDirectory(configuration);
  const logOptions = stderrLogOptions({ level: configuration.logLevel, stderr, environment });
  const log = createEarlyLog(logOptions);
  for (const { variable, message } of warnings) {
    log.warn('setting-ignored', { variable, message });
  }
  const { noRootBecause } = configuration;
  if (noRootBecause !== null) {
    log.warn('no-root', { message: describeNoRoot(noRootBecause, "The client's roots apply if it names any.") });
  }
  if (process.stdin.isTTY) {
    stderr.write(waitingForClient);
  }
  const clock = new SystemClock();
  warnOfRetiredModels(configuration.modelChain ?? [], clock, log);
  const shutdown = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => shutdown.abort());
  }
  const listeners = new Set<() => void>();
  const onChange = (): void => {
    for (const listener of listeners) {
      listener();
    }
  };
  const server = createServerLoader({ configuration, logOptions, onChange });
  const served = await serveStdio(
    {
      stdin: process.stdin,
      stdout: process.stdout,
      onClient: () => loadInBackground(server, onLoaded),
      toolsAtStart: () => readToolsAtStart({ ...{ environment, flags, configuration }, bundle: dirname(__filename) }),
      server: {
        ...{ version: serverVersion, clock, callLimitMs: configuration.callLimitMs },
        surface: surfaceOf(server, configuration, listeners),
        records: async () => (await server.load()).records,
        jobs: async () => (await server.load()).jobs,
        asksForRoots: noRootBecause !== null,
        ownerOf: (clientName) => ownerOf(clientName, configuration.workingDirectory),
        log: createProtocolLog(log),
      },
    },
    shutdown.signal,
  );
  return finish(served, { server, log, signal: shutdown.signal });
}

/** The lists can change only if servers of the user are offered on. */
function surfaceOf(
  { load }: ServerLoader,
  { offeredServers }: Pick<Configuration, 'offeredServers'>,
  listeners: Set<() => void>,
): SurfaceSource {
  const current: SurfaceSource['current'] = async (clientRoots) => (await load()).surface.current(clientRoots);
  const onChange = (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return offeredServers.length > 0 ? { current, onChange } : { current };
}

/** So that a client's handshake does not wait for code that only calls need. */
function loadInBackground({ load }: ServerLoader, onLoaded: () => void): void {
  const loadAll = (): Promise<void> => load().then(onLoaded);
  setImmediate(() => void loadAll().catch(() => undefined));
}

type ServerLoader = {
  readonly load: () => Promise<StartedServer>;
  /** As in `StartedServer`, if the server was started. */
  readonly finishJobs: StartedServer['finishJobs'];
  /** Ends jobs and warm processes, if any were started. */
  readonly close: () => Promise<void>;
};

/** Loads the code that only calls need, once, at the first call. Tries again after a failure. */
function createServerLoader(start: StdioServerStart): ServerLoader {
  let loading: Promise<StartedServer> | undefined;
  return {
    load: () => {
      loading ??= loadServer(start);
      loading.catch(() => {
        loading = undefined;
      });
      return loading;
    },
    finishJobs: async (signal) => {
      const started = await loading?.catch(() => undefined);
      await started?.finishJobs(signal);
    },
    close: async () => {
      const started = await loading?.catch(() => undefined);
      await started?.close();
    },
  };
}

async function loadServer(start: StdioServerStart): Promise<StartedServer> {
  const { startServer } = await import('./late.ts');
  return startServer(start);
}

type Finishing = { readonly server: ServerLoader; readonly log: Log; readonly signal: AbortSignal };

/** A client that only went, and did not end this process by a signal, may have been killed: its jobs go on for the next one. */
async function finish(served: StdioServed, { server, log, signal }: Finishing): Promise<number> {
  const { reason, cause } = served;
  if (reason === 'end-of-input' || reason === 'output-closed') {
    await server.finishJobs(signal);
  }
  const workEnded = Promise.all([served.callsEnded, server.close()]);
  const late = new Promise<void>((resolve) => {
    setTimeout(resolve, lastCallsMs);
  });
  await Promise.race([workEnded, late]);
  if (reason === 'line-too-long') {
    log.error('stopped', {
      reason: 'The client sent a line of more than 10 MiB, which no message of the protocol needs.',
    });
    return 1;
  }
  log.info('stopped', { reason, ...(cause === null ? {} : { cause: cause.message }) });
  return 0;
}

/** stdout belongs to the protocol, so what a dependency prints by `console` goes to the log. */
function guardStdout(): void {
  globalThis.console = new Console(process.stderr);
}

/**
 * The owner of this process's calls. One client uses it, but stored data is shared with the servers of other clients and
 * other projects: the client's name and the working directory distinguish them, and survive a restart. This keeps honest
 * clients out of each other's way; it cannot stop a hostile program of the same user.
 */
function ownerOf(clientName: string | null, workingDirectory: string): string {
  // Not imported: loading it takes 4 ms, which would delay every client's handshake.
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha256')
    .update(JSON.stringify(['stdio', clientName, workingDirectory]))
    .digest('hex');
}

type StderrLogSources = {
  readonly level: LogLevel;
  /** MCP clients keep or show stderr; stdout belongs to the protocol. */
  readonly stderr: Writable;
  /** Whose secrets no line may show. */
  readonly environment: Readonly<Record<string, string | undefined>>;
};

/** How this process logs. */
export function stderrLogOptions({ level, stderr, environment }: StderrLogSources): LogOptions {
  // A client that has closed its end of stderr does not stop the server.
  stderr.on('error', () => undefined);
  return { level, redact: createRedactor(secretValues(environment)), stream: stderr };
}
