import type { ApprovalQuestion, Approver } from '@gemini-mcp/core';
import type { FakeClock } from '@gemini-mcp/core/testing';
import type { Proof } from '../proof.ts';

/** What a user, or their client, does with a question. */
export type UserReply =
  /** Chooses a choice of the question by its name, or sends any other name. */
  | { readonly type: 'chooses'; readonly answer: string }
  /** Agrees without a choice, as some clients do by themselves. */
  | { readonly type: 'agrees' }
  | { readonly type: 'dismisses' }
  /** The connection to the user breaks. */
  | { readonly type: 'fails' }
  /** Says nothing until the test makes the user choose. */
  | { readonly type: 'waits' }
  /** The user cannot be asked. Set before the first question. */
  | { readonly type: 'cannot-be-asked' };

export type ApproverHarness = {
  /** Uses `clock` for deadlines. */
  readonly approver: Approver;
  /** Sets what the user does with the following questions, by their texts. */
  readonly reply: (replyTo: (text: string) => UserReply) => void;
  /** Lets the longest-waiting user choose, whether the question is still shown or not. */
  readonly chooseNow: (answer: string) => void;
  /** The texts of all questions that were shown, in order. */
  readonly shown: () => readonly string[];
  /** Resolves once that many questions were shown. */
  readonly whenShown: (count: number) => Promise<void>;
  /** Resolves once that many unanswered questions were withdrawn. */
  readonly whenTakenBack: (count: number) => Promise<void>;
  readonly dispose: () => Promise<void>;
};

export type ApproverPlace = { readonly clock: FakeClock };

export type Asking = ApproverHarness & { readonly clock: FakeClock; readonly abort: AbortController };

export type ApproverSubject = {
  readonly proof: Proof;
  /** Opens an approver whose user does this with each question. Default: wait. */
  readonly open: (reply?: UserReply) => Promise<Asking>;
};

/** A question about a command of these words. */
export function questionAbout(
  [program = 'npm', ...others]: readonly string[],
  clock: FakeClock,
  fields: Partial<ApprovalQuestion> = {},
): ApprovalQuestion {
  const words = others.map((text) => ({ type: 'literal', text }) as const);
  const command = { assignments: [], words: [{ type: 'literal', text: program }, ...words], redirections: [] } as const;
  const plan = { directory: null, pipelines: [{ when: 'always', commands: [command] }] } as const;
  return {
    handle: [program, ...others].join(' '),
    subject: { type: 'command', plan, directory: '/home/user/project', network: false },
    reason: 'No rule covers this command.',
    kind: `${program} …`,
    wholeServer: null,
    lasting: `${program} … in /home/user/project`,
    deadlineAtMs: clock.now() + 300_000,
    ...fields,
  };
}
