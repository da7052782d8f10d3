import { createRedactor, SystemClock, secretValues } from '@gemini-mcp/adapters-node/startup';
import { type StdioServed, type Surface, serveStdio } from '@gemini-mcp/mcp';
import { type Configuration, readConfiguration } from './configuration.ts';
import { ConfigurationError } from './configuration-error.ts';
import { guardStdout } from './guard-stdout.ts';
import { ownerOf } from './owner-of.ts';
import { serverVersion } from './server-version.ts';
import { createStderrLog, type StderrLog } from './stderr-log.ts';

/** Longer than a stubborn process may take to die, shorter than a client's patience. */
const lastCallsMs = 2_500;

const usageErrorExitCode = 2;

main().catch((error: unknown) => {
  process.stderr.write(`gemini-mcp-server: ${error instanceof Error ? error.message : 'unexpected error'}\n`);
  process.exit(1);
});

async function main(): Promise<void> {
  guardStdout();
  process.umask(0o077);
  const log = createStderrLog({ stderr: process.stderr, redact: createRedactor(secretValues(process.env)) });
  try {
    const configuration = readConfiguration({ environment: process.env, currentDirectory: process.cwd() });
    process.exit(await serve(configuration, log));
  } catch (error) {
    if (!(error instanceof ConfigurationError)) {
      throw error;
    }
    process.stderr.write(`gemini-mcp-server: ${error.message}\n`);
    process.exit(usageErrorExitCode);
  }
}

async function serve(configuration: Configuration, log: StderrLog): Promise<number> {
  const shutdown = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => shutdown.abort());
  }
  const loadSurface = createSurfaceLoader(configuration, log);
  const serving = serveStdio(
    {
      stdin: process.stdin,
      stdout: process.stdout,
      server: {
        version: serverVersion,
        clock: new SystemClock(),
        loadSurface,
        ownerOf: (clientName) => ownerOf(clientName, configuration.workingDirectory),
        log: ({ event, ...fields }) => log(event, fields),
      },
    },
    shutdown.signal,
  );
  // Behind the answer to the first request, so that a client's handshake does not wait for what only calls need.
  process.stdin.once('data', () => setImmediate(() => void loadSurface().catch(() => undefined)));
  return finish(await serving, log);
}

function createSurfaceLoader(configuration: Configuration, log: StderrLog): () => Promise<Surface> {
  let loading: Promise<Surface> | undefined;
  return () => {
    loading ??= loadSurface(configuration, log);
    loading.catch(() => {
      loading = undefined;
    });
    return loading;
  };
}

async function loadSurface(configuration: Configuration, log: StderrLog): Promise<Surface> {
  const { startServer } = await import('./start-server.ts');
  return { tools: startServer(configuration, log), prompts: [], resources: [] };
}

async function finish(served: StdioServed, log: StderrLog): Promise<number> {
  const { reason, cause, callsEnded } = served;
  const late = new Promise<void>((resolve) => {
    setTimeout(resolve, lastCallsMs);
  });
  await Promise.race([callsEnded, late]);
  if (reason === 'line-too-long') {
    log('stopped', { reason: 'The client sent a line of more than 10 MiB, which no message of the protocol needs.' });
    return 1;
  }
  log('stopped', { reason, ...(cause === null ? {} : { cause: cause.message }) });
  return 0;
}
