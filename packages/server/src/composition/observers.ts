import type { ApiRunReport } from '@gemini-mcp/adapters-api';
import type { GeminiCli, PassedOver, PoolReport, Quarantined, RunReport } from '@gemini-mcp/adapters-node';
import { describePathFault } from '@gemini-mcp/adapters-node/internal';
import type { AskEnd, RunnerChoice } from '@gemini-mcp/core';
import { createChoiceLog, createPoolLog, createProtocolLog, type ProtocolLog } from '../log/event-logs.ts';
import type { Log } from '../log/log.ts';
import { createApiRunLog, createRunLog } from '../log/run-log.ts';

/** Who is told what becomes of the parts of a server. */
export type Observers = {
  readonly onCliFound: (cli: GeminiCli) => void;
  /** Told of a program that PATH leads to, that could have been the CLI and is not run. */
  readonly onPassedOver: (passedOver: PassedOver) => void;
  readonly onRun: (report: RunReport) => void;
  /** Told of runs that went to the API without the CLI. */
  readonly onApiRun: (report: ApiRunReport) => void;
  /** Told of each call to Gemini that has ended. */
  readonly onAskEnd: (end: AskEnd) => void;
  /** Told of each runner that is given a request, and why. */
  readonly onChoice: (choice: RunnerChoice) => void;
  /** Told what becomes of the processes that are kept running. */
  readonly onPool: (report: PoolReport) => void;
  /** Told of a file of the state directory that could not be read and was put aside. */
  readonly onQuarantine: (quarantined: Quarantined) => void;
  /** Told of faults between the CLI and the tools that runs lend to it. */
  readonly onToolSessionFault: ProtocolLog;
  /** Told, in a sentence, why lasting approvals do not count. */
  readonly onUnusableApproval: (sentence: string) => void;
  /** Told of other servers, in lines with their names in front. */
  readonly onUpstream: (line: string) => void;
  /** Told of a fault in a background job. */
  readonly onJobError: (error: unknown) => void;
};

/** Writes all of it into the log. */
export function createObservers(log: Log): Observers {
  return {
    onCliFound: ({ path, version, foundBy }) => log.info('cli-found', { path, version, foundBy }),
    onPassedOver: ({ path, fault }) =>
      log.warn('cli-passed-over', {
        path,
        reason: describePathFault(fault),
        fix: 'If this one is yours and is to be run, set GEMINI_MCP_CLI to its absolute path.',
      }),
    onRun: createRunLog(log),
    onApiRun: createApiRunLog(log),
    onAskEnd: () => undefined,
    onChoice: createChoiceLog(log),
    onPool: createPoolLog(log),
    onQuarantine: ({ path, reason }) => log.warn('quarantined', { path, reason }),
    onToolSessionFault: createProtocolLog(log),
    onUnusableApproval: (reason) => log.warn('approval-unusable', { reason }),
    onUpstream: (line) => log.info('other-server', { line }),
    onJobError: (error) => log.error('job-failed', { error }),
  };
}
