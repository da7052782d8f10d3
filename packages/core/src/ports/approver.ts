import type { CommandPlan } from './workspace/command-plan.ts';
import type { CommandRisk, ProposedChange } from './workspace/step-result.ts';

/** A step that a run may take only with its user's approval. */
export type ApprovalSubject =
  | {
      readonly type: 'command';
      /** The parsed command: nothing else runs. */
      readonly plan: CommandPlan;
      /** The absolute directory in which the command runs. */
      readonly directory: string;
      /** Whether the command has network access. */
      readonly network: boolean;
      /** The file that the question is about, if the command writes one that other programs obey. Format: `path` of `ProposedChange`. */
      readonly writes?: string;
      /** The risk that the question is about, if any: `reason` explains it. */
      readonly risk?: CommandRisk;
    }
  | {
      readonly type: 'change';
      /** As in `ProposedChange`. */
      readonly path: string;
      readonly diff: string;
    }
  /** A call of an upstream server's tool. */
  | {
      readonly type: 'tool';
      readonly server: string;
      /** SHA-256 of everything that identifies the server. */
      readonly digest: string;
      readonly tool: string;
      readonly arguments: Readonly<Record<string, unknown>>;
      /** Suspicious properties of the tool, as sentences to show with the question. */
      readonly warnings: readonly string[];
    };

/** A question to the user, as data. */
export type ApprovalQuestion = {
  /** Identifies the question within its run: equal subjects have equal handles. */
  readonly handle: string;
  readonly subject: ApprovalSubject;
  /** Why the user must approve: the sentence of the rule. */
  readonly reason: string;
  /** Which steps an answer for the run covers, such as `git push …`; null if only this one step can be allowed. */
  readonly kind: string | null;
  /** Which steps the wider answer `server` covers, such as `every tool of files`; null if it is not offered. */
  readonly wholeServer: string | null;
  /** What a lasting answer would allow, as a text for the user; null if it is not offered. */
  readonly lasting: string | null;
  /** The command line that allows it permanently, from any directory; missing if no command can. */
  readonly toType?: string;
  /** Answers count until this time, in milliseconds since the epoch. */
  readonly deadlineAtMs: number;
};

/**
 * `run`: this kind for the run. `server`: all tools of the server for the run. `always`: this kind from now on. Only choices that the question offers
 * are valid.
 */
export type ApprovalAnswer = 'once' | 'run' | 'server' | 'always' | 'no';

/** The outcome of a question. Only `answered` with an answer other than `no` is consent. */
export type ApprovalOutcome =
  | { readonly type: 'answered'; readonly answer: ApprovalAnswer }
  /** The user was asked and gave no valid answer. */
  | {
      readonly type: 'unanswered';
      readonly reason: 'dismissed' | 'timed-out' | 'invalid-answer' | 'cancelled' | 'failed';
    }
  /** No user could be asked. `text` gives the reason and the remedy, in sentences. */
  | { readonly type: 'cannot-ask'; readonly text: string };

/**
 * Asks the user of a run. Implementations must:
 *
 * - Resolve each question by its deadline and soon after an abort, and never reject.
 * - Return `answered` only for an explicit answer of the user that the question offers: no value that a program filled in, no late answer and no
 *   second one.
 * - Show the question whole and unchanged, with control characters visible: what the user sees is what happens. A question too long to show is
 *   `cannot-ask`.
 */
export interface Approver {
  ask(question: ApprovalQuestion, signal: AbortSignal): Promise<ApprovalOutcome>;
}

/** A step that needs the user's approval. */
export type StepToApprove = {
  /** How long the step may take once it is allowed, in milliseconds: the answer and the step must fit into one tool call. */
  readonly timeMs: number;
} & (
  | {
      readonly type: 'command';
      readonly plan: CommandPlan;
      /** Why the user must approve: the sentence of the judgement. */
      readonly reason: string;
      /** As in `ApprovalSubject`. */
      readonly writes?: string;
      /** As in `ApprovalSubject`. An answer for the run covers this risk for every command. */
      readonly risk?: CommandRisk;
    }
  | { readonly type: 'change'; readonly change: ProposedChange }
  | {
      readonly type: 'tool';
      /** The call, exactly as it will be sent. */
      readonly call: Omit<Extract<ApprovalSubject, { readonly type: 'tool' }>, 'type'>;
      /** Why the user must approve, in a sentence. */
      readonly reason: string;
    }
);
