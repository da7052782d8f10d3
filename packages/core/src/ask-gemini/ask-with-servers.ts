import { describeDone } from '../agent/describe-done.ts';
import { linkedAbort } from '../agent/linked-abort.ts';
import { stepText } from '../agent/step-text.ts';
import type { WorkBudget } from '../agent/work-budget.ts';
import { callLines } from '../agent/work-lines.ts';
import { WorkLog } from '../agent/work-log.ts';
import { ApprovalDesk } from '../approvals/approval-desk.ts';
import { describeSubject } from '../approvals/describe-subject.ts';
import type { ServerLender, ServersOfCall } from '../hub/server-lender.ts';
import type { ApprovalStore } from '../ports/approver.ts';
import type { Clock } from '../ports/clock.ts';
import type { AskGemini } from './ask-gemini.ts';
import type { AskRequest, OnProgress } from './ask-request.ts';
import type { AskResult } from './ask-result.ts';

export type AskWithServersOptions = {
  readonly clock: Clock;
  /** Lends tools for directories, so that those of servers can be lent with them. */
  readonly askGemini: Pick<AskGemini, 'ask'>;
  readonly lender: ServerLender;
  readonly approvals: ApprovalStore;
  /** Whether users may allow something for good: not those who share a server. */
  readonly offersLasting: boolean;
  /** How a shell starts the server, for users who cannot be asked; `gemini-mcp-server` if missing. */
  readonly program?: string | undefined;
  readonly budget: WorkBudget;
};

/** Asks Gemini, and lends it the tools of other servers where a request names some. Each of their calls needs the user's consent. */
export class AskWithServers {
  readonly #options: AskWithServersOptions;

  constructor(options: AskWithServersOptions) {
    this.#options = options;
  }

  /** As `AskGemini.ask`. What was called, refused and asked is told as notices of the answer or the failure. */
  async ask(request: AskRequest, onProgress: OnProgress, signal: AbortSignal): Promise<AskResult> {
    const { servers, ...asking } = request;
    return servers === undefined || servers.names?.length === 0
      ? await this.#options.askGemini.ask(asking, onProgress, signal)
      : await this.#askLending(asking, servers, onProgress, signal);
  }

  async #askLending(
    request: AskRequest,
    servers: ServersOfCall,
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<AskResult> {
    const { clock, askGemini, lender, budget } = this.#options;
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
    const source = await lender.lend({
      owner: request.owner ?? '',
      names: servers.names,
      // A question is to change nothing: the user's word on the tool itself is needed.
      countsTrust: false,
      askUser: async (step, aborted) => {
        const approval = await desk.ask(step, aborted);
        return approval.allowed ? null : approval.refusal;
      },
      log,
      questions: servers.questions,
    });
    log.exchanged(request.prompt.length);
    try {
      const lending = {
        ...request,
        toolSources: [...(request.toolSources ?? []), source],
        doneBefore: () => describeDone(log.lasting),
      };
      const result = await askGemini.ask(lending, onProgress, ending.signal);
      return withNotices(endedBy(result, log), callLines({ ...log.account, questions: desk.records }));
    } finally {
      ending.release();
    }
  }

  #openDesk(request: AskRequest, { approver }: ServersOfCall, tell: (text: string) => void): ApprovalDesk {
    const { clock, approvals: store, offersLasting, program } = this.#options;
    return new ApprovalDesk({
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
      // Of commands: there are none.
      rules: [],
      directory: '',
      network: false,
    });
  }
}

/** A run that its budget has ended was cancelled by us alone. */
function endedBy(result: AskResult, { account: { overBudget } }: WorkLog): AskResult {
  return !result.ok && result.failed.failure.kind === 'cancelled' && overBudget !== null
    ? { ok: false, failed: { ...result.failed, failure: { kind: 'turn-limit', excerpt: '' } } }
    : result;
}

function withNotices(result: AskResult, notices: readonly string[]): AskResult {
  if (notices.length === 0) {
    return result;
  }
  return result.ok
    ? { ok: true, answer: { ...result.answer, notices: [...(result.answer.notices ?? []), ...notices] } }
    : { ok: false, failed: { ...result.failed, notices } };
}
