import { ApiGeminiRunner, type ApiRunReport } from '@gemini-mcp/adapters-api';
import {
  CliGeminiRunner,
  type CliGeminiRunnerOptions,
  WarmGeminiRunner,
  type WarmGeminiRunnerOptions,
} from '@gemini-mcp/adapters-node';
import { ChoosingGeminiRunner, type ChoosingGeminiRunnerOptions, type RunnerPreference } from '@gemini-mcp/core';
import type { ApiAccess } from './find-api-access.ts';
import { refuseAll } from './refuse-all.ts';

export type RunnersOptions = {
  readonly way: RunnerPreference;
  /** How the Gemini API is asked, as `findApiAccess` found it; null if it is not. */
  readonly api: ApiAccess | null;
  /** Told of runs that went to the API without the CLI. */
  readonly onApiRun?: (report: ApiRunReport) => void;
  readonly onChoice?: NonNullable<ChoosingGeminiRunnerOptions['onChoice']>;
  /** For both ways of running the CLI. The API shares `clock` and `allowsGoogleLogs`. */
  readonly cli: CliGeminiRunnerOptions;
  /** For the processes that are kept running. */
  readonly warm: Pick<WarmGeminiRunnerOptions, 'limits' | 'onPool' | 'processClock'>;
};

export type Runners = {
  /** For all calls: that of the others which suits the call. */
  readonly runner: ChoosingGeminiRunner;
  /** Keeps connections between calls, and is to be closed; null if the API is not asked. */
  readonly api: ApiGeminiRunner | null;
  /** Keeps processes between calls, and is to be closed; null if none are kept. */
  readonly warm: WarmGeminiRunner | null;
};

/** The runners that a way admits, under one that chooses among them. Starts nothing. */
export function createRunners({ way, api: access, onChoice, onApiRun, cli, warm: kept }: RunnersOptions): Runners {
  const { clock, allowsGoogleLogs } = cli;
  const shared = { clock, ...(allowsGoogleLogs !== undefined && { allowsGoogleLogs }) };
  const { fault, ...asked } = access ?? { fault: undefined, login: null };
  const mayAsk = access !== null && fault === undefined;
  const api = mayAsk
    ? new ApiGeminiRunner({ ...asked, ...shared, ...(onApiRun !== undefined && { onRun: onApiRun }) })
    : null;
  const warm = way === 'auto' || way === 'warm' ? new WarmGeminiRunner({ ...cli, ...kept }) : null;
  const headless = way === 'api' ? null : new CliGeminiRunner(cli);
  const refusing = fault === undefined ? null : refuseAll(fault);
  const runners = [api, refusing, warm, headless].filter((each) => each !== null);
  const runner = new ChoosingGeminiRunner({
    clock,
    runners,
    preference: way,
    ...(onChoice !== undefined && { onChoice }),
  });
  return { runner, api, warm };
}
