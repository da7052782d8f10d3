import { secretValues } from '@gemini-mcp/adapters-node/internal/startup';
import { createRedactor } from '@gemini-mcp/core/internal';
import {
  type ConfigurationSources,
  describeNoRoot,
  fileAccessOfServer,
  ownerOnThisMachine,
  type ReviewsAtTerminal,
  refuseStateDirectory,
  rootsOf,
  startProcesses,
} from '@gemini-mcp/server';
import { composeWithLogin } from './compose-with-login.ts';
import { readStdioSettings } from './stdio-program.ts';
import { PARTS, SERVER } from './tokens.ts';

/** Composes the server for reviews at a terminal: the same parts as for a client, without a transport. Logs warnings and errors alone. */
export async function startReviews(sources: ConfigurationSources): Promise<ReviewsAtTerminal> {
  const { configuration } = readStdioSettings(sources);
  refuseStateDirectory(configuration);
  const redact = createRedactor(secretValues(process.env));
  const logOptions = { level: 'warn', redact, stream: process.stderr } as const;
  const { container, log } = await composeWithLogin({ configuration, logOptions });
  const reach = fileAccessOfServer(configuration);
  const { reviewChange, modelChain } = container.resolve(SERVER).useCasesOf(reach);
  const { noRootBecause, workingDirectory: directory, queryTimeoutMs: timeoutMs } = configuration;
  return {
    reviewChange,
    owner: ownerOnThisMachine,
    place:
      noRootBecause === null
        ? { directory, roots: rootsOf(configuration, reach) }
        : { problem: describeNoRoot(noRootBecause) },
    models: modelChain,
    timeoutMs,
    close: startProcesses({ configuration, log }, (name) => container.resolve(PARTS[name])),
  };
}
