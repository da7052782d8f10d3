import { ApiGeminiRunner, type ApiRunReport, apiCapabilities } from '@gemini-mcp/adapters-api';
import {
  CliGeminiRunner,
  type CliGeminiRunnerOptions,
  WarmGeminiRunner,
  type WarmGeminiRunnerOptions,
} from '@gemini-mcp/adapters-node';
import type { GeminiRunner, RunnerPreference } from '@gemini-mcp/core';
import type { ApiAccess } from './find-api-access.ts';

export type RunnersOptions = {
  readonly preference: RunnerPreference;
  /** The login and addresses of the Gemini API, from `findApiAccess`; null if the API is not used. */
  readonly api: ApiAccess | null;
  /** Called for runs that went to the API without the CLI. */
  readonly onApiRun?: (report: ApiRunReport) => void;
  /** For both runners of the CLI. The API shares `clock` and `allowsGoogleLogs`. */
  readonly cli: CliGeminiRunnerOptions;
  /** For the warm processes. */
  readonly warm: Pick<WarmGeminiRunnerOptions, 'limits' | 'onPool' | 'processClock'>;
};

/** A runner that may keep processes or connections between calls. */
export type ClosableRunner = GeminiRunner & {
  /** Ends the processes and connections that it keeps, and the runs on them. Resolves when nothing is left. */
  close?(): Promise<void>;
};

/** The runners that a preference admits, for a `ChoosingGeminiRunner`. Starts nothing. */
export function createRunners({
  preference,
  api: access,
  onApiRun,
  cli,
  warm,
}: RunnersOptions): readonly ClosableRunner[] {
  const { clock, allowsGoogleLogs } = cli;
  const shared = { clock, ...(allowsGoogleLogs !== undefined && { allowsGoogleLogs }) };
  const { fault, ...asked } = access ?? { fault: undefined, login: null };
  return [
    ...(access !== null && fault === undefined
      ? [new ApiGeminiRunner({ ...asked, ...shared, ...(onApiRun !== undefined && { onRun: onApiRun }) })]
      : []),
    ...(fault === undefined ? [] : [refuseAll(fault)]),
    ...(preference === 'auto' || preference === 'warm' ? [new WarmGeminiRunner({ ...cli, ...warm })] : []),
    ...(preference === 'api' ? [] : [new CliGeminiRunner(cli)]),
  ];
}

/** Replaces the runner for the API: every call gets the reason why nothing may be sent. */
function refuseAll(fault: string): GeminiRunner {
  return {
    capabilities: { ...apiCapabilities(null), needsKeyOfCall: false, tokenCount: false },
    async *run() {
      yield { type: 'failure', failure: { kind: 'configuration', excerpt: fault } };
    },
  };
}
