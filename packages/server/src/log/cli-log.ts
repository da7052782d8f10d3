import type { GeminiCli } from '@gemini-mcp/adapters-node';
import type { Log } from './log.ts';

export type CliLog = (cli: GeminiCli) => void;

/** Makes what writes into a log which CLI was found: once, however many look for it, and again when it is another one. */
export function createCliLog(log: Log): CliLog {
  let told = '';
  return ({ path, version, foundBy }) => {
    const found = { path, version, foundBy };
    const text = JSON.stringify(found);
    if (text !== told) {
      told = text;
      log.info('cli-found', found);
    }
  };
}
