import type { CommandPlan } from './workspace/command-plan.ts';
import type { CommandRisk, ProposedChange } from './workspace/step-result.ts';

/** What a run wants to do and may not do without its user. */
export type ApprovalSubject =
  | {
      readonly type: 'command';
      /** It runs, and nothing else. */
      readonly plan: CommandPlan;
      /** In which it runs, absolute. */
      readonly directory: string;
      /** Whether it reaches the network. */
      readonly network: boolean;
      /** As `path` of `ProposedChange`: the file that the question is about, if the command writes one that other programs obey. */
      readonly writes?: string;
      /** What the question is about, if it is a risk: `reason` says why. */
      readonly risk?: CommandRisk;
    }
  | {
      readonly type: 'change';
      /** As in `ProposedChange`. */
      readonly path: string;
      readonly diff: string;
    }
  /** A tool of another server. */
  | {
      readonly type: 'tool';
      readonly server: string;
      /** SHA-256 of all that says what the server is. */
      readonly digest: string;
      readonly tool: string;
      readonly arguments: Readonly<Record<string, unknown>>;
      /** What is odd about the tool: sentences; shown with the question. */
      readonly warnings: readonly string[];
    };

/** A question to the user, as data. */
export type ApprovalQuestion = {
  /** Names the question within its run: equal subjects have equal handles. */
  readonly handle: string;
  readonly subject: ApprovalSubject;
  /** Why it is asked: the sentence of the rule. */
  readonly reason: string;
  /** What an answer for the run covers, in words such as `git push …`; null where only this very step can be allowed. */
  readonly kind: string | null;
  /** What the wider answer `server` covers, in words such as `every tool of files`; null where it is not offered. */
  readonly wholeServer: string | null;
  /** What a lasting answer would allow, in words for the user; null where none is offered. */
  readonly lasting: string | null;
  /** What the user can type at a terminal, from any directory, to allow it for good; missing if nothing can. */
  readonly toType?: string;
  /** By when an answer counts, in milliseconds since the epoch. */
  readonly deadlineAtMs: number;
};

/**
 * `run`: this kind for the run. `server`: all tools of the server for the run. `always`: this kind from now on. Only a choice that the
 * question offers is an answer.
 */
export type ApprovalAnswer = 'once' | 'run' | 'server' | 'always' | 'no';

/** What became of a question. Only `answered` with another answer than `no` is consent. */
export type ApprovalOutcome =
  | { readonly type: 'answered'; readonly answer: ApprovalAnswer }
  /** Asked, and not answered in a way that counts. */
  | {
      readonly type: 'unanswered';
      readonly reason: 'dismissed' | 'timed-out' | 'invalid-answer' | 'cancelled' | 'failed';
    }
  /** No user could be asked. `text` says why and what the user can do about it: sentences. */
  | { readonly type: 'cannot-ask'; readonly text: string };

/**
 * Asks the user of a run. An implementer owes:
 *
 * - An outcome for each question by its deadline and soon after an abort; never a rejection.
 * - `answered` only for an explicit answer of the user that the question offers: nothing that a program fills in by itself, no late answer
 *   and no second one.
 * - The question as it is: what is shown is what will happen, whole, control characters visible. What is too long to show is `cannot-ask`.
 */
export interface Approver {
  ask(question: ApprovalQuestion, signal: AbortSignal): Promise<ApprovalOutcome>;
}

/** A step about which the user is asked. */
export type StepToApprove = {
  /** How long the step may take once it is allowed, in milliseconds: answer and step have to fit into one call of a tool. */
  readonly timeMs: number;
} & (
  | {
      readonly type: 'command';
      readonly plan: CommandPlan;
      /** Why it is asked about: the sentence of its judgement. */
      readonly reason: string;
      /** As in `ApprovalSubject`. */
      readonly writes?: string;
      /** As in `ApprovalSubject`: an answer for the run covers that risk of every command. */
      readonly risk?: CommandRisk;
    }
  | { readonly type: 'change'; readonly change: ProposedChange }
  | {
      readonly type: 'tool';
      /** The call as it will be made. */
      readonly call: Omit<Extract<ApprovalSubject, { readonly type: 'tool' }>, 'type'>;
      /** Why it is asked about, in a sentence. */
      readonly reason: string;
    }
);
