import type {
  ChangeConsent,
  Clock,
  CommandPlan,
  CommandReport,
  CommandRisk,
  StepRefusal,
  StepResult,
  WorkLog,
  Workspace,
} from '@gemini-mcp/core';
import {
  type CommandJudgement,
  type CommandRule,
  judgeScripts,
  runsScripts,
  type StepToApprove,
} from '@gemini-mcp/core/internal';
import * as z from 'zod';
import { parseCommand } from '../../commands/parse-command.ts';
import type { AskUser } from '../ask-user.ts';
import type { CallLimit, ProjectTool, ToolReport } from '../project-tool.ts';
import { decideCommand } from './decide-command.ts';
import { describeReport } from './describe-report.ts';

export type RunCommandToolOptions = {
  readonly workspace: Pick<Workspace, 'prepareCommands' | 'runCommand' | 'changes'>;
  readonly rules: readonly CommandRule[];
  readonly askUser: AskUser;
  readonly log: Pick<WorkLog, 'reported' | 'note'>;
  readonly clock: Clock;
};

const defaultSeconds = 120;
const maxSeconds = 1_800;

/** The Gemini CLI ends a call after ten minutes, and a question before the command may take five. */
const longestWaitMs = 200_000;

/** For the way back of the result. */
const marginMs = 1_000;

/** A command cannot write more files by redirections than it has words for; a question for each is too many. */
const maxConsents = 5;

/** Makes the tool that runs a command in the sandbox. */
export function createRunCommandTool(options: RunCommandToolOptions): ProjectTool {
  const input = z.strictObject({
    command: z
      .string()
      .min(1)
      .max(8_192)
      .describe('One command line: programs joined by &&, ||, ; and |, with redirections to files.'),
    timeout: z
      .int()
      .min(1)
      .max(maxSeconds)
      .default(defaultSeconds)
      .describe(
        'Seconds until it is stopped. After 200 s a command that still runs returns a handle: give that to poll_command.',
      ),
  });
  const tool: ProjectTool<typeof input> = {
    name: 'run_command',
    description:
      'Runs a command in the working directory, inside a sandbox and without a shell: no loops, variables, command substitution or here-documents.',
    input,
    changes: true,
    takesLong: true,
    subjectOf: ({ command }) => command,
    run: async ({ command, timeout }, limit, signal) => {
      const decided = decideCommand(parseCommand(command), options.rules);
      if (decided.type === 'refused') {
        return { ok: false, refusal: decided.refusal };
      }
      const { plan } = decided;
      const timeoutMs = timeout * 1_000;
      const judgement = decided.type === 'asks' ? decided.judgement : await judgeChanged(plan, options, signal);
      if (judgement !== null) {
        const { reason } = judgement;
        const timeMs = Math.min(timeoutMs, longestWaitMs);
        const refusal = await options.askUser({ type: 'command', plan, reason, timeMs }, signal);
        if (refusal !== null) {
          return { ok: false, refusal };
        }
      }
      return await runPlan(
        { ...options, plan, command, timeoutMs, limit, isAllowedByUser: judgement !== null },
        signal,
      );
    },
  };
  return tool;
}

/** A script that this run has changed is a new command, whatever rules say of the one that it was. */
async function judgeChanged(
  plan: CommandPlan,
  { workspace }: RunCommandToolOptions,
  signal: AbortSignal,
): Promise<CommandJudgement | null> {
  return runsScripts(plan) ? judgeScripts(plan, await workspace.changes(signal)) : null;
}

type PlanToRun = RunCommandToolOptions & {
  readonly plan: CommandPlan;
  readonly command: string;
  readonly timeoutMs: number;
  readonly limit: CallLimit;
  /** Whether the user was asked about it. */
  readonly isAllowedByUser: boolean;
};

async function runPlan(run: PlanToRun, signal: AbortSignal): Promise<ToolReport> {
  const { workspace, log, command } = run;
  const coverage = await workspace.prepareCommands(signal);
  if (!coverage.commands) {
    log.note(coverage.reason);
  }
  const ran = await runWithConsents(run, { consents: [], accepts: [] }, signal);
  if (!ran.ok) {
    return ran;
  }
  log.reported(command, ran.value);
  return describeReport(ran.value);
}

/** What the user has agreed to for one command. */
type Agreed = { readonly consents: readonly ChangeConsent[]; readonly accepts: readonly CommandRisk[] };

/** Risks, and files that redirections write, may have to be asked about, one after the other. */
async function runWithConsents(
  run: PlanToRun,
  agreed: Agreed,
  signal: AbortSignal,
): Promise<StepResult<CommandReport>> {
  const { workspace, plan, timeoutMs, limit, clock, askUser, isAllowedByUser } = run;
  const waitMs = Math.max(0, Math.min(timeoutMs, longestWaitMs, limit.deadlineAtMs - clock.now() - marginMs));
  const ran = await workspace.runCommand({ plan, timeoutMs, waitMs, isAllowedByUser, ...agreed }, signal);
  const asked = ran.ok ? null : toAsk(ran.refusal, plan, agreed);
  if (asked === null) {
    return ran;
  }
  const refusal = await askUser({ ...asked.step, timeMs: waitMs }, signal);
  return refusal === null ? await runWithConsents(run, asked.agreed, signal) : { ok: false, refusal };
}

type ToAsk = {
  readonly step: Omit<Extract<StepToApprove, { type: 'command' }>, 'timeMs'>;
  /** With the answer. */
  readonly agreed: Agreed;
};

/** Null for a refusal that no answer changes. */
function toAsk({ code, proposal, risk, message }: StepRefusal, plan: CommandPlan, agreed: Agreed): ToAsk | null {
  const { consents, accepts } = agreed;
  if (code !== 'needs-approval') {
    return null;
  }
  if (risk !== undefined && !accepts.includes(risk)) {
    const step = { type: 'command', plan, reason: message, risk } as const;
    return { step, agreed: { consents, accepts: [...accepts, risk] } };
  }
  if (proposal === undefined || consents.length >= maxConsents) {
    return null;
  }
  const { path, reason, beforeHash } = proposal;
  const step = { type: 'command', plan, reason, writes: path } as const;
  return { step, agreed: { accepts, consents: [...consents, { path, beforeHash }] } };
}
