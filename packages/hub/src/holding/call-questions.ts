import type { ServerAnswer, ServerQuestion, ServerQuestions } from '@gemini-mcp/core/internal';

type CallInProgress = {
  readonly owner: string;
  readonly questions: ServerQuestions | null;
  /** Takes back what is asked; null where nothing was asked yet. */
  ended: AbortController | null;
};

const cancelled: ServerAnswer = { action: 'cancel' };

/**
 * Passes what a server asks on to who is calling it. A server does not say for which call it asks: of several by one owner the latest through
 * which that owner can be asked gets the question, and while several owners call, none is asked.
 */
export class CallQuestions implements ServerQuestions {
  readonly #calls = new Set<CallInProgress>();

  /** The user can be asked until what it returns is called; an open question is then taken back. */
  begin({ owner, questions }: Omit<CallInProgress, 'ended'>): () => void {
    const call: CallInProgress = { owner, questions, ended: null };
    this.#calls.add(call);
    return () => {
      this.#calls.delete(call);
      call.ended?.abort();
    };
  }

  async ask(question: ServerQuestion, signal: AbortSignal): Promise<ServerAnswer> {
    const calls = [...this.#calls];
    const isOfOne = new Set(calls.map(({ owner }) => owner)).size === 1;
    const call = calls.findLast(({ questions }) => questions !== null);
    if (!isOfOne || call === undefined || call.questions === null) {
      return cancelled;
    }
    call.ended ??= new AbortController();
    return await call.questions.ask(question, AbortSignal.any([signal, call.ended.signal]));
  }
}
