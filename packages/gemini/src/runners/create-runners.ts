import { ApiGeminiRunner, type ApiRunReport } from '@gemini-mcp/adapters-api';
import {
  CliGeminiRunner,
  type CliGeminiRunnerOptions,
  WarmGeminiRunner,
  type WarmGeminiRunnerOptions,
} from '@gemini-mcp/adapters-node';
import type { GeminiRunner, RunnerPreference } from '@gemini-mcp/core';
import type { ApiAccess } from './find-api-access.ts';
import { refuseAll } from './refuse-all.ts';

export type RunnersOptions = {
  readonly way: RunnerPreference;
  /** How the Gemini API is asked, as `findApiAccess` found it; null if it is not. */
  readonly api: ApiAccess | null;
  /** Told of runs that went to the API without the CLI. */
  readonly onApiRun?: (report: ApiRunReport) => void;
  /** For both ways of running the CLI. The API shares `clock` and `allowsGoogleLogs`. */
  readonly cli: CliGeminiRunnerOptions;
  /** For the processes that are kept running. */
  readonly warm: Pick<WarmGeminiRunnerOptions, 'limits' | 'onPool' | 'processClock'>;
};

/** A runner that may keep something between calls. */
export type ClosableRunner = GeminiRunner & {
  /** Ends the processes and connections that it keeps, and the runs on them. Resolves when nothing is left. */
  close?(): Promise<void>;
};

/** The runners that a way admits, for a `ChoosingGeminiRunner`. Starts nothing. */
export function createRunners({ way, api: access, onApiRun, cli, warm }: RunnersOptions): readonly ClosableRunner[] {
  const { clock, allowsGoogleLogs } = cli;
  const shared = { clock, ...(allowsGoogleLogs !== undefined && { allowsGoogleLogs }) };
  const { fault, ...asked } = access ?? { fault: undefined, login: null };
  return [
    ...(access !== null && fault === undefined
      ? [new ApiGeminiRunner({ ...asked, ...shared, ...(onApiRun !== undefined && { onRun: onApiRun }) })]
      : []),
    ...(fault === undefined ? [] : [refuseAll(fault)]),
    ...(way === 'auto' || way === 'warm' ? [new WarmGeminiRunner({ ...cli, ...warm })] : []),
    ...(way === 'api' ? [] : [new CliGeminiRunner(cli)]),
  ];
}
