import type { ConversationTurn } from '../ports/gemini-runner.ts';

/** What another server asks of a model. */
export type SamplingRequest = {
  /** As the user named it. */
  readonly server: string;
  /** Whose server it is; null for one that all owners share. */
  readonly owner: string | null;
  readonly systemPrompt: string | null;
  /** In the words of the server, oldest first. */
  readonly turns: readonly ConversationTurn[];
};

export type SamplingAnswer =
  | { readonly type: 'answered'; readonly text: string; readonly model: string }
  /** `message` is for the server: a sentence that tells nothing of other servers or owners. */
  | { readonly type: 'refused'; readonly message: string };

/** Answers questions of other servers to a model. An implementer owes an answer soon after an abort, and never rejects. */
export interface ServerSampling {
  answer(request: SamplingRequest, signal: AbortSignal): Promise<SamplingAnswer>;
}
