import type { AuditEntry, AuditLog, Clock, JobReport } from '@gemini-mcp/core';
import type { Tool, ToolContext, ToolInput, ToolOutcome } from '@gemini-mcp/mcp';
import { type AuditWords, auditArguments, auditWork } from './audit-words.ts';

export type AuditToolOptions = {
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly words: AuditWords;
};

/** The tool, with each of its calls recorded when it ends. `server` is the name of the user's other server whose tool it is; null for our own. */
export function auditTool<Input extends ToolInput>(
  tool: Tool<Input>,
  server: string | null,
  options: AuditToolOptions,
): Tool<Input> {
  const { audit, clock, words } = options;
  const note = (args: unknown, context: ToolContext, startedAtMs: number, outcome: ToolOutcome | null): void => {
    const atMs = clock.now();
    audit.record({
      type: 'call',
      ...{ atMs, owner: context.owner, client: context.clientName, server, tool: tool.name },
      // They name the run whose changes are taken back.
      arguments: auditArguments(args, tool.name === 'gemini_undo' ? { ...words, isFull: true } : words),
      ...endOf(outcome, words),
      durationMs: atMs - startedAtMs,
    });
  };
  return {
    ...tool,
    run: async (args, context) => {
      const startedAtMs = clock.now();
      try {
        const outcome = await tool.run(args, context);
        note(args, context, startedAtMs, outcome);
        return outcome;
      } catch (error) {
        note(args, context, startedAtMs, null);
        throw error;
      }
    },
  };
}

/** The entry for a job that has ended. */
export function auditJob(job: JobReport<ToolOutcome>, { clock, words }: Omit<AuditToolOptions, 'audit'>): AuditEntry {
  const { handle, state, startedAtMs, result } = job;
  const atMs = clock.now();
  const { work, outcome } = endOf(result, words);
  return {
    type: 'job',
    ...{ atMs, work, job: handle, durationMs: atMs - startedAtMs },
    outcome: result === null ? state : outcome,
  };
}

function endOf(outcome: ToolOutcome | null, words: AuditWords): Pick<AuditEntry, 'outcome' | 'job' | 'work'> {
  const detail = outcome?.detail;
  switch (detail?.type) {
    case 'answer':
      return { outcome: 'answered', job: null, work: auditWork(detail.work, words) };
    case 'failure':
      return { outcome: detail.failed.failure.kind, job: null, work: auditWork(detail.work, words) };
    case 'job':
      return { outcome: detail.goesOn === true ? 'went-on' : 'done', job: detail.job.handle, work: null };
    case 'refused':
      return { outcome: detail.reason, job: null, work: null };
    case undefined:
      return {
        outcome: outcome === null ? 'internal-error' : outcome.isError ? 'failed' : 'done',
        job: null,
        work: null,
      };
  }
}
