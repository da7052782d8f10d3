import { ApprovalDesk } from '../approvals/approval-desk.ts';
import { describeSubject } from '../approvals/describe-subject.ts';
import type { StepToApprove } from '../approvals/step-to-approve.ts';
import type { AskGemini } from '../ask-gemini/ask-gemini.ts';
import type { AskProgress } from '../ask-gemini/ask-request.ts';
import type { AskFailure, AskResult } from '../ask-gemini/ask-result.ts';
import { shippedCommandRules } from '../commands/shipped-command-rules.ts';
import type { ServerLender, ServersToLend } from '../hub/server-lender.ts';
import type { ApprovalStore } from '../ports/approver.ts';
import type { Clock } from '../ports/clock.ts';
import type { Executor, WorkMode, Workspace, WorkspaceOptions } from '../ports/executor.ts';
import { plainRunSettings } from '../ports/gemini-runner.ts';
import type { ToolSource } from '../ports/tool-source.ts';
import type { StepRefusal } from '../ports/workspace-steps.ts';
import { agentInstruction } from './agent-instruction.ts';
import { closeAccount } from './close-account.ts';
import { describeDone } from './describe-done.ts';
import { linkedAbort } from './linked-abort.ts';
import { taskMessage } from './task-message.ts';
import type { WorkAccount } from './work-account.ts';
import { WorkLog } from './work-log.ts';
import type { ProjectToLend, WorkProgress, WorkRequest, WorkResult } from './work-request.ts';
import type { WorkStep } from './work-step.ts';

export type WorkOnTaskOptions = {
  readonly clock: Clock;
  readonly askGemini: Pick<AskGemini, 'ask'>;
  readonly executor: Pick<Executor, 'open' | 'sandbox'>;
  /** As `WorkspaceOptions.runId` has to be, each time another one. */
  readonly createRunId: () => string;
  readonly approvals: ApprovalStore;
  /** Whether users may allow something for good: not those who share a server. */
  readonly offersLasting: boolean;
  /** How a shell starts the server, for users who cannot be asked; `gemini-mcp-server` if missing. */
  readonly program?: string | undefined;
  /** Where a directory really is; the same where that is not known. Never rejects. */
  readonly realPathOf: (directory: string) => Promise<string>;
  /** Makes the tools by which Gemini works on a project. */
  readonly lendProject: (project: ProjectToLend) => Promise<ToolSource>;
  /** Lends tools of other servers; none are lent when it is missing. */
  readonly lender?: ServerLender | undefined;
};

type Run = {
  readonly request: WorkRequest;
  readonly runId: string;
  readonly startedAtMs: number;
  readonly workspace: Workspace;
  readonly log: WorkLog;
  readonly desk: ApprovalDesk;
  readonly onProgress: (progress: WorkProgress) => void;
};

/** Lets Gemini work on a project: lends it tools inside walls, and gives an account of what it did with them. */
export class WorkOnTask {
  readonly #options: WorkOnTaskOptions;

  constructor(options: WorkOnTaskOptions) {
    this.#options = options;
  }

  /**
   * Resolves to the answer or the failure, each with the account of the run; never rejects for anything that Gemini, a file or a command did.
   * An abort of `signal` ends what runs, with every command. The workspace is closed in any case.
   */
  async work(
    request: WorkRequest,
    onProgress: (progress: WorkProgress) => void,
    signal: AbortSignal,
  ): Promise<WorkResult> {
    const { clock, executor, createRunId } = this.#options;
    const startedAtMs = clock.now();
    const runId = createRunId();
    const opened = await executor.open({ ...workspaceOptionsOf(request), runId }, signal);
    if (!opened.ok) {
      return { type: 'refused', refusal: opened.refusal };
    }
    const workspace = opened.value;
    const ending = linkedAbort(signal);
    try {
      const onStep = (step: WorkStep): void => onProgress({ type: 'step', step });
      const onNote = (text: string): void => onProgress({ type: 'status', text });
      const log = new WorkLog({ clock, budget: request.budget, onStep, onNote, onExhausted: ending.abort });
      const desk = await this.#openDesk(request, onProgress, startedAtMs);
      return await this.#workIn({ request, runId, startedAtMs, workspace, log, desk, onProgress }, ending.signal);
    } finally {
      ending.release();
      await workspace.close();
    }
  }

  async #workIn(run: Run, signal: AbortSignal): Promise<WorkResult> {
    const { clock } = this.#options;
    const { request, runId, startedAtMs, workspace, log, desk } = run;
    const asked = await this.#ask(run, signal);
    const changes = await closeAccount({ workspace, log, clock });
    const durationMs = clock.now() - startedAtMs;
    const account = { runId, mode: request.mode, durationMs, changes, questions: desk.records, ...log.account };
    if (asked.ok) {
      return { type: 'answered', answer: asked.answer, account };
    }
    return { type: 'failed', failed: failedBy(asked.failed, account), account };
  }

  async #ask({ request, startedAtMs, workspace, log, desk, onProgress }: Run, signal: AbortSignal): Promise<AskResult> {
    const { clock, askGemini, lendProject } = this.#options;
    const noCommandsBecause = await this.#findNoCommands(request.mode, signal);
    if (noCommandsBecause !== null) {
      log.note(`No commands could be run: ${noCommandsBecause}`);
    }
    const runsCommands = request.mode === 'full' && noCommandsBecause === null;
    const { task, timeoutMs, budget: _budget, approver: _approver, servers: _servers, ...asking } = request;
    const askUser = async (step: StepToApprove, aborted: AbortSignal): Promise<StepRefusal | null> => {
      const approval = await desk.ask(step, aborted);
      return approval.allowed ? null : approval.refusal;
    };
    const source = await lendProject({
      ...request,
      workspace,
      runsCommands,
      log,
      rules: shippedCommandRules,
      askUser,
    });
    const others = await this.#lendServers(request, { log, askUser });
    const prompt = taskMessage({ ...request, noCommandsBecause });
    log.exchanged(prompt.length);
    return await askGemini.ask(
      {
        ...asking,
        prompt,
        timeoutMs: Math.max(1, timeoutMs - (clock.now() - startedAtMs)),
        settings: { ...plainRunSettings, systemPrompt: agentInstruction },
        toolSources: [source, ...others],
        doneBefore: () => describeDone(log.lasting),
      },
      (progress) => tell(progress, { log, onProgress }),
      signal,
    );
  }

  async #lendServers(
    { servers, owner, mode }: WorkRequest,
    run: Pick<ServersToLend, 'log' | 'askUser'>,
  ): Promise<readonly ToolSource[]> {
    const { lender } = this.#options;
    // A plan is to change nothing: the user's word on the tool itself is needed.
    const countsTrust = mode !== 'plan';
    return servers === undefined || lender === undefined || servers.names?.length === 0
      ? []
      : [await lender.lend({ ...servers, ...run, owner, countsTrust })];
  }

  async #openDesk(
    { approver, workingDirectory, network, timeoutMs }: WorkRequest,
    onProgress: (progress: WorkProgress) => void,
    startedAtMs: number,
  ): Promise<ApprovalDesk> {
    const { clock, approvals, offersLasting, program, realPathOf } = this.#options;
    return new ApprovalDesk({
      approver: {
        ask: (question, signal) => {
          onProgress({ type: 'asking-user', about: describeSubject(question.subject) });
          return approver.ask(question, signal);
        },
      },
      store: approvals,
      clock,
      rules: shippedCommandRules,
      directory: await realPathOf(workingDirectory),
      network,
      offersLasting,
      program,
      deadlineAtMs: startedAtMs + timeoutMs,
    });
  }

  async #findNoCommands(mode: WorkMode, signal: AbortSignal): Promise<string | null> {
    if (mode !== 'full') {
      return null;
    }
    const sandbox = await this.#options.executor.sandbox(signal);
    return sandbox.available ? null : sandbox.detail;
  }
}

function workspaceOptionsOf({
  owner,
  workingDirectory,
  roots,
  mode,
  network,
}: WorkRequest): Omit<WorkspaceOptions, 'runId'> {
  return { owner, workingDirectory, roots, mode, network };
}

/** Steps are told by those who take them, who know more of them than the runner does. */
function tell(progress: AskProgress, { log, onProgress }: Pick<Run, 'log' | 'onProgress'>): void {
  if (progress.type === 'context-ready') {
    log.exchanged(progress.bytes);
  }
  if (progress.type !== 'tool') {
    onProgress(progress);
  }
}

/** A run that its budget has ended was cancelled by us alone. */
function failedBy(failed: AskFailure, { overBudget }: Pick<WorkAccount, 'overBudget'>): AskFailure {
  return failed.failure.kind === 'cancelled' && overBudget !== null
    ? { ...failed, failure: { kind: 'turn-limit', excerpt: '' } }
    : failed;
}
