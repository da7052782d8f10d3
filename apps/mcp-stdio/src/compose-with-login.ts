import { secretValues } from '@gemini-mcp/adapters-node/internal/startup';
import { createRedactor } from '@gemini-mcp/core/internal';
import { type Configuration, createLog, findApiAccess, findLogin, type Log, type LogOptions } from '@gemini-mcp/server';
import { composeStdioServer } from './composition-root.ts';

export type ComposedWithLogin = { readonly container: ReturnType<typeof composeStdioServer>; readonly log: Log };

/** Composes the server with the login of this user. Its log hides the stored key as well, which the log of the start did not have. */
export async function composeWithLogin({
  configuration,
  logOptions,
}: {
  readonly configuration: Configuration;
  readonly logOptions: LogOptions;
}): Promise<ComposedWithLogin> {
  const { environment: variables, problem } = await findLogin(process.env);
  const redactLogin = createRedactor(secretValues(variables));
  const log = createLog({ ...logOptions, redact: (text) => redactLogin(logOptions.redact(text)) });
  if (problem !== null) {
    log.warn('login-not-read', { message: problem });
  }
  const environment = {
    ...variables,
    ...(configuration.cli === null ? {} : { GEMINI_MCP_CLI: configuration.cli }),
  };
  const onFault = (reason: string): void => log.warn('api-not-asked', { reason });
  const { runner: preference, userDirectory } = configuration;
  const api = findApiAccess({ preference, userDirectory, environment, onFault });
  return { container: composeStdioServer({ configuration, environment, api, log }), log };
}
