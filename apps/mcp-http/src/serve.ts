import { SystemClock, secretValues } from '@gemini-mcp/adapters-node/internal/startup';
import { createRedactor } from '@gemini-mcp/core/internal';
import {
  type CommandLine,
  ConfigurationError,
  claudeCodeHttpLine,
  createLog,
  describeNoRoot,
  findApiAccess,
  findLogin,
  type Log,
  refuseStateDirectory,
  warnOfRetiredModels,
} from '@gemini-mcp/server';
import { type Access, openAccess } from './access/open-access.ts';
import { mcpUrl } from './operation/listen.ts';
import { withRequestId } from './operation/log-requests.ts';
import { httpProgram } from './settings/http-program.ts';
import type { HttpConfiguration } from './settings/read-http-configuration.ts';
import { readHttpConfiguration } from './settings/read-http-configuration.ts';
import { startHttpServer } from './start-http-server.ts';

/** Serves until a signal ends it. Resolves to the exit code. */
export async function serve(flags: CommandLine['flags']): Promise<number> {
  const { stderr, env } = process;
  const { configuration, http, warnings } = readHttpConfiguration({
    environment: env,
    flags,
    currentDirectory: process.cwd(),
  });
  refuseStateDirectory(configuration);
  const { cli, logLevel: level } = configuration;
  const access = await openAccess(http);
  // The reader of the log may have disconnected: no reason to stop.
  stderr.on('error', () => undefined);
  const login = await findLogin(env);
  const redact = createRedactor([...secretValues(login.environment), ...secretOf(access)]);
  const log = withRequestId(createLog({ level, redact, stream: stderr }));
  for (const { variable, message } of warnings) {
    log.warn('setting-ignored', { variable, message });
  }
  if (configuration.noRootBecause !== null) {
    log.warn('no-root', { message: describeNoRoot(configuration.noRootBecause) });
  }
  if (login.problem !== null) {
    log.warn('login-not-read', { message: login.problem });
  }
  warnOfRetiredModels(configuration.modelChain ?? [], new SystemClock(), log);
  const ending = endingSignals();
  const environment = { ...login.environment, ...(cli === null ? {} : { GEMINI_MCP_CLI: cli }) };
  const onFault = (reason: string): void => {
    if (configuration.runner === 'api') {
      throw new ConfigurationError(reason);
    }
    log.warn('api-not-asked', { reason });
  };
  const { runner: preference, userDirectory } = configuration;
  const api = findApiAccess({ preference, userDirectory, environment, onFault });
  const server = await startHttpServer({ configuration, http, environment, api, access, log });
  stderr.write(greeting(mcpUrl(server.address), access, http));
  await ending.first;
  return finish(await server.shutDown(ending.second), log);
}

function secretOf({ localToken }: Access): readonly string[] {
  return localToken === null ? [] : [localToken.token];
}

/** The text for a terminal. A token that is stored nowhere else is shown once. */
function greeting(url: string, { localToken }: Access, { tokenFile }: Pick<HttpConfiguration, 'tokenFile'>): string {
  const listening = `listening on ${url}\n`;
  if (localToken?.generated !== true) {
    return listening;
  }
  if (tokenFile !== null) {
    return `${listening}A token was created in ${tokenFile}.\n`;
  }
  const line = claudeCodeHttpLine({ url, token: localToken.token });
  return `${listening}\nThe token was created for this run and is shown only here. For Claude Code:\n\n${line}\n\nFor other clients: ${httpProgram.name} --print-config <client>\n`;
}

type EndingSignals = {
  readonly first: Promise<void>;
  /** Aborted by the second signal: its sender is in a hurry. */
  readonly second: AbortSignal;
};

function endingSignals(): EndingSignals {
  const second = new AbortController();
  const first = new Promise<void>((resolve) => {
    let count = 0;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        count += 1;
        resolve();
        if (count > 1) {
          second.abort();
        }
      });
    }
  });
  return { first, second: second.signal };
}

/** A cancelled call is not a failure of the server. */
function finish(isClean: boolean, log: Log): number {
  log.info('stopped', { clean: isClean });
  return 0;
}
