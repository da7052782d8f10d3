import type {
  ChangeConsent,
  Clock,
  CommandEnd,
  CommandPlan,
  CommandReport,
  CommandRisk,
  StepRefusal,
  StepResult,
  UnsavedChanges,
  WorkLog,
  Workspace,
} from '@gemini-mcp/core';
import type { CommandReading } from '@gemini-mcp/core/internal';
import {
  type CommandJudgement,
  type CommandRule,
  commandEndText,
  countOf,
  createRedactor,
  escapeName,
  judgePlan,
  judgeScripts,
  runsScripts,
  type StepToApprove,
  unsavedText,
} from '@gemini-mcp/core/internal';
import * as z from 'zod';
import { parseCommand } from '../commands/parse-command.ts';
import type { AskUser, CallLimit, ProjectTool, ToolReport } from './project-tool.ts';
import { escapedNote, strangerText } from './stranger-text.ts';

export type CommandToolsOptions = {
  readonly workspace: Pick<Workspace, 'prepareCommands' | 'runCommand' | 'pollCommand' | 'changes'>;
  readonly rules: readonly CommandRule[];
  readonly askUser: AskUser;
  readonly log: Pick<WorkLog, 'reported' | 'commandOf' | 'note'>;
  readonly clock: Clock;
};

const defaultSeconds = 120;
const maxSeconds = 1_800;

/** The Gemini CLI ends a call after ten minutes, and an approval before the command may take five. */
const longestWaitMs = 200_000;

/** The time for returning the result. */
const marginMs = 1_000;

/** The limit on approvals for the files that one command redirects to. */
const maxConsents = 5;

/** Creates the tools that run a command in the sandbox and poll it. */
export function createCommandTools(options: CommandToolsOptions): readonly ProjectTool[] {
  return [runCommandTool(options), pollCommandTool(options)];
}

function runCommandTool(options: CommandToolsOptions): ProjectTool {
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
      .describe('Seconds until it is stopped. After 200 s a running command returns a handle for poll_command.'),
  });
  const tool: ProjectTool<typeof input> = {
    name: 'run_command',
    description:
      'Runs a command in the working directory, in a sandbox and without a shell: no loops, variables, command substitution or here-documents.',
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

/** A script that this run has changed counts as a new command, even if rules allow its earlier version. */
async function judgeChanged(
  plan: CommandPlan,
  { workspace }: CommandToolsOptions,
  signal: AbortSignal,
): Promise<CommandJudgement | null> {
  return runsScripts(plan) ? judgeScripts(plan, await workspace.changes(signal)) : null;
}

type PlanToRun = CommandToolsOptions & {
  readonly plan: CommandPlan;
  readonly command: string;
  readonly timeoutMs: number;
  readonly limit: CallLimit;
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

/** The user's consent for one command. */
type Agreed = { readonly consents: readonly ChangeConsent[]; readonly accepts: readonly CommandRisk[] };

/** Asks about risks and about redirections' target files, one after the other. */
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
  readonly agreed: Agreed;
};

/** Null for a refusal that no consent can change. */
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

const defaultPollSeconds = 60;
const maxPollSeconds = 300;

function pollCommandTool({ workspace, log, clock }: CommandToolsOptions): ProjectTool {
  const input = z.strictObject({
    handle: z.string().min(1).max(100).describe('As run_command returned it.'),
    wait: z.int().min(0).max(maxPollSeconds).default(defaultPollSeconds).describe('Seconds to wait for its end.'),
    stop: z.boolean().default(false).describe('Whether to stop it.'),
  });
  const tool: ProjectTool<typeof input> = {
    name: 'poll_command',
    description: 'Waits for a running command and shows its output since the last call; or stops it.',
    input,
    changes: false,
    takesLong: true,
    subjectOf: ({ handle }) => log.commandOf(handle) ?? handle,
    run: async ({ handle, wait, stop }, { deadlineAtMs }, signal) => {
      const command = log.commandOf(handle) ?? '';
      const waitMs = Math.max(0, Math.min(wait * 1_000, deadlineAtMs - clock.now() - marginMs));
      const polled = await workspace.pollCommand({ handle, waitMs, stop }, signal);
      if (!polled.ok) {
        return polled;
      }
      log.reported(command, polled.value, handle);
      return describeReport(polled.value);
    },
  };
  return tool;
}

type DecidedCommand =
  | { readonly type: 'runs'; readonly plan: CommandPlan }
  | { readonly type: 'asks'; readonly plan: CommandPlan; readonly judgement: CommandJudgement }
  | { readonly type: 'refused'; readonly refusal: StepRefusal };

/** Decides about a command line: refuses it, with the reason, unless it is understood and allowed. */
function decideCommand(reading: CommandReading, rules: readonly CommandRule[]): DecidedCommand {
  if (!reading.ok) {
    const { reason, hint } = reading.refusal;
    return refused(`The command was not run: ${reason}.`, hint);
  }
  const judgement = judgePlan(reading.plan, rules);
  switch (judgement.decision) {
    case 'allow':
      return { type: 'runs', plan: reading.plan };
    case 'ask':
      return { type: 'asks', plan: reading.plan, judgement };
    case 'deny':
      return refused(judgement.reason, '');
  }
}

function refused(message: string, hint: string): DecidedCommand {
  return { type: 'refused', refusal: { code: 'refused-command', message, hint, retriable: false } };
}

const maxChangesShown = 50;
const maxUnsavedShown = 20;
const maxNameCharacters = 300;

/** A command may print text that no tool reads, such as the history of the repository. */
const redact = createRedactor([]);
const redactedNote = ' Text that looks like a key or a password is shown as [redacted].';

/** Describes a running or finished command to Gemini. */
function describeReport(report: CommandReport): ToolReport {
  const { handle, end, output, outputBytes, durationMs, changes, unkept, notes = [] } = report;
  const withoutSecrets = redact(output);
  const shown = strangerText('output', withoutSecrets, 'middle');
  const summary = commandEndText(end);
  const lines = [
    `${summary} after ${secondsOf(durationMs)}.${why(end)}${handle === null || end !== null ? '' : goOn(handle)}${shown.isEscaped ? escapedNote : ''}${withoutSecrets === output ? '' : redactedNote}`,
    ...(output === '' ? ['No output.'] : [shown.fenced]),
    ...(shown.isCut
      ? [`It has printed ${countOf(outputBytes, 'byte')}. To see it all, redirect it to a file and view that.`]
      : []),
    ...changes.slice(0, maxChangesShown).map(({ kind, path }) => `${kind}: ${cut(escapeName(path))}`),
    ...(changes.length > maxChangesShown
      ? [`and ${countOf(changes.length - maxChangesShown, 'more file')} changed`]
      : []),
    ...(unkept === undefined ? [] : [`also changed, but cannot be undone: ${unsavedNames(unkept)}`]),
    ...notes.map(escapeName),
  ];
  const data = {
    ...{ handle, end, outputBytes, durationMs, changes: changes.map(({ kind, path }) => ({ kind, path })) },
    ...{ unkept: unkept ?? null, notes },
  };
  return { ok: true, text: lines.join('\n'), data, summary };
}

/** `214 files in node_modules, .venv/bin/python, and 3 more`. */
function unsavedNames({ count, first }: UnsavedChanges): string {
  const named = first.slice(0, maxUnsavedShown);
  const hidden = count - named.reduce((sum, one) => sum + one.count, 0);
  return [
    ...named.map((one) => cut(unsavedText(one))),
    ...(hidden > 0 ? [`and ${countOf(hidden, 'more file')}`] : []),
  ].join(', ');
}

function cut(name: string): string {
  return name.length > maxNameCharacters ? `${name.slice(0, maxNameCharacters)}…` : name;
}

function goOn(handle: string): string {
  return ` It is still running: call poll_command with handle "${handle}".`;
}

function why(end: CommandEnd | null): string {
  return end?.type === 'stopped' ? ` ${end.detail}` : '';
}

function secondsOf(durationMs: number): string {
  return `${(durationMs / 1_000).toFixed(1)} s`;
}
