import { describeDone } from '../agent/describe-done.ts';
import type { WorkBudget } from '../agent/work-budget.ts';
import { callLines, stepText } from '../agent/work-lines.ts';
import { WorkLog } from '../agent/work-log.ts';
import type { AskResult } from '../answers/ask-result.ts';
import { ApprovalPrompts } from '../approvals/approval-prompts.ts';
import { describeSubject } from '../approvals/describe-subject.ts';
import type { AskRequest, OnProgress } from '../ask-gemini/ask-request.ts';
import { endedByBudget, type RequestWithTools, type ToolAttacher } from '../ask-gemini/attach-tools.ts';
import type { ApprovalStore } from '../ports/approval-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { ServersOfCall, ToolProviderFactory } from '../ports/upstreams/tool-provider-factory.ts';
import { linkedAbort } from '../waiting/linked-abort.ts';

export type ServerToolsOptions = {
  readonly clock: Clock;
  readonly toolProviderFactory: ToolProviderFactory;
  readonly approvals: ApprovalStore;
  /** Whether users may allow calls permanently: not if they share a server. */
  readonly offersLasting: boolean;
  /** The shell command that started the server, for users who cannot be asked; `gemini-mcp-server` if missing. */
  readonly program?: string | undefined;
  readonly budget: WorkBudget;
};

/** Adds the tools of the upstreams that a request names. Each call of them needs the user's approval. */
export class ServerTools implements ToolAttacher {
  readonly #options: ServerToolsOptions;

  constructor(options: ServerToolsOptions) {
    this.#options = options;
  }

  /** Calls, refusals and questions become notices of the answer or the failure. */
  attach(request: AskRequest, onProgress: OnProgress, signal: AbortSignal): Promise<RequestWithTools> | null {
    const { servers, ...asking } = request;
    return servers === undefined || servers.names?.length === 0
      ? null
      : this.#lend(asking, servers, onProgress, signal);
  }

  async #lend(
    request: AskRequest,
    servers: ServersOfCall,
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<RequestWithTools> {
    const { clock, toolProviderFactory, budget } = this.#options;
    const ending = linkedAbort(signal);
    const tell = (text: string): void => onProgress({ type: 'status', text });
    const log = new WorkLog({
      clock,
      budget,
      onStep: (step) => tell(stepText(step)),
      onNote: tell,
      onExhausted: ending.abort,
    });
    const desk = this.#openDesk(request, servers, tell);
    const source = await toolProviderFactory.create({
      owner: request.owner ?? '',
      names: servers.names,
      // A question must change nothing, so trust in a server is not enough: the user must approve each tool.
      countsTrust: false,
      askUser: async (step, aborted) => {
        const approval = await desk.ask(step, aborted);
        return approval.allowed ? null : approval.refusal;
      },
      log,
      questions: servers.questions,
      trace: request.trace,
    });
    log.exchanged(request.prompt.length);
    return {
      request: {
        ...request,
        toolProviders: [...(request.toolProviders ?? []), source],
        doneBefore: () => describeDone(log.lasting),
      },
      signal: ending.signal,
      tell: (result) =>
        withNotices(
          endedByBudget(result, log.account.overBudget),
          callLines({ ...log.account, questions: desk.records }),
        ),
      release: async () => ending.release(),
    };
  }

  #openDesk(request: AskRequest, { approver }: ServersOfCall, tell: (text: string) => void): ApprovalPrompts {
    const { clock, approvals: store, offersLasting, program } = this.#options;
    return new ApprovalPrompts({
      approver: {
        ask: (question, aborted) => {
          tell(`Asking the user about: ${describeSubject(question.subject)}`);
          return approver.ask(question, aborted);
        },
      },
      store,
      clock,
      offersLasting,
      program,
      deadlineAtMs: clock.now() + request.timeoutMs,
      // The rules for commands: this run has no commands.
      rules: [],
      directory: '',
      network: false,
    });
  }
}

function withNotices(result: AskResult, notices: readonly string[]): AskResult {
  if (notices.length === 0) {
    return result;
  }
  return result.ok
    ? { ok: true, answer: { ...result.answer, notices: [...(result.answer.notices ?? []), ...notices] } }
    : { ok: false, failed: { ...result.failed, notices } };
}
