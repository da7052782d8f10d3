import type { ApiRunReport } from '@gemini-mcp/adapters-api';
import type { GeminiCli, PassedOver, PoolReport, Quarantined, RunReport } from '@gemini-mcp/adapters-node';
import { describePathFault } from '@gemini-mcp/adapters-node/internal';
import type { AskEnd, JobReport, RunnerChoice } from '@gemini-mcp/core';
import { createChoiceLog, createPoolLog, createProtocolLog, type ProtocolLog } from '../log/event-logs.ts';
import type { Log } from '../log/log.ts';
import { createApiRunLog, createRunLog } from '../log/run-log.ts';

/** Observers of the parts of a server. */
export type Observers = {
  readonly onCliFound: (cli: GeminiCli) => void;
  /** Called for a program on PATH that could be the CLI but is not run. */
  readonly onPassedOver: (passedOver: PassedOver) => void;
  readonly onRun: (report: RunReport) => void;
  /** Called for runs over the API. */
  readonly onApiRun: (report: ApiRunReport) => void;
  /** Called when a call to Gemini has ended. */
  readonly onAskEnd: (end: AskEnd) => void;
  /** Called for each runner chosen for a request, with the reason. */
  readonly onChoice: (choice: RunnerChoice) => void;
  /** Called for events of warm processes. */
  readonly onPool: (report: PoolReport) => void;
  /** Called for an unreadable file of the state directory that was moved aside. */
  readonly onQuarantine: (quarantined: Quarantined) => void;
  /** Called for faults between the CLI and the model tools of runs. */
  readonly onToolSessionFault: ProtocolLog;
  /** Called with a sentence that says why permanent approvals have no effect. */
  readonly onUnusableApproval: (sentence: string) => void;
  /** Called with a sentence that says why the usage of calls is not recorded. */
  readonly onUsageLost: (sentence: string) => void;
  /** Called with a sentence that says why calls are missing from the audit log. */
  readonly onAuditLost: (sentence: string) => void;
  /** Called with lines about upstream servers, each beginning with the server's name. */
  readonly onUpstream: (line: string) => void;
  /** Called for a fault in a background job. */
  readonly onJobError: (error: unknown) => void;
  /** Called for each background job that has ended: its result waits for its owner. */
  readonly onJobEnd: (ended: JobReport<unknown>) => void;
};

/** Creates observers that write everything to the log. */
export function createObservers(log: Log): Observers {
  return {
    onCliFound: ({ path, version, foundBy }) => log.info('cli-found', { path, version, foundBy }),
    onPassedOver: ({ path, fault }) =>
      log.warn('cli-passed-over', {
        path,
        reason: describePathFault(fault),
        fix: 'To run this program, set GEMINI_MCP_CLI to its absolute path.',
      }),
    onRun: createRunLog(log),
    onApiRun: createApiRunLog(log),
    onAskEnd: () => undefined,
    onChoice: createChoiceLog(log),
    onPool: createPoolLog(log),
    onQuarantine: ({ path, reason }) => log.warn('quarantined', { path, reason }),
    onToolSessionFault: createProtocolLog(log),
    onUnusableApproval: (reason) => log.warn('approval-unusable', { reason }),
    onUsageLost: (reason) => log.warn('usage-lost', { reason }),
    onAuditLost: (reason) => log.error('audit-lost', { reason }),
    onUpstream: (line) => log.info('other-server', { line }),
    onJobEnd: ({ state, startedAtMs, endedAtMs }) =>
      log.info('job-ended', {
        state,
        seconds: Math.round(((endedAtMs ?? startedAtMs) - startedAtMs) / 1_000),
        keptMinutes: 60,
      }),
    onJobError: (error) => log.error('job-failed', { error }),
  };
}
