import { leaveRemovedDirectory, secretValues } from '@gemini-mcp/adapters-node/internal/startup';
import { createRedactor, escapeControls } from '@gemini-mcp/core/internal';
import { ConfigurationError, parseCommandLine, refuseNode, runAtTerminal } from '@gemini-mcp/server';
import { serve } from './serve.ts';
import { serverVersion } from './server-version.ts';
import { httpProgram } from './settings/http-program.ts';

const usageErrorExitCode = 2;

process.umask(0o077);
main().then(
  (exitCode) => process.exit(exitCode),
  (error: unknown) => {
    const redact = createRedactor(secretValues(process.env));
    // An old Node fails with messages that explain nothing.
    const message =
      refuseNode(process.versions.node, httpProgram) ?? (error instanceof Error ? error.message : 'unexpected error');
    process.stderr.write(`${httpProgram.name}: ${escapeControls(redact(message))}\n`);
    process.exit(error instanceof ConfigurationError ? usageErrorExitCode : 1);
  },
);

async function main(): Promise<number> {
  const removed = leaveRemovedDirectory();
  if (removed !== null) {
    process.stderr.write(`${httpProgram.name}: ${removed}\n`);
  }
  const { mode, flags } = parseCommandLine(process.argv.slice(2), httpProgram);
  if (mode.kind === 'serve') {
    const refusal = refuseNode(process.versions.node, httpProgram);
    if (refusal !== null) {
      throw new Error(refusal);
    }
    return serve(flags);
  }
  return runAtTerminal({ program: httpProgram, version: serverVersion, mode, flags });
}
