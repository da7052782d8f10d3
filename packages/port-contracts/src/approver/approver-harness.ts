import type { ApprovalQuestion, Approver } from '@gemini-mcp/core';
import type { FakeClock } from '@gemini-mcp/core/testing';
import type { Proof } from '../proof.ts';

/** What a user, or the program in front of them, does about a question. */
export type UserReply =
  /** Chooses something by the name that it has in the question, or sends what has no such name. */
  | { readonly type: 'chooses'; readonly answer: string }
  /** Agrees without choosing anything, as programs do by themselves. */
  | { readonly type: 'agrees' }
  | { readonly type: 'dismisses' }
  /** The way to the user breaks. */
  | { readonly type: 'fails' }
  /** Says nothing, until the test lets them choose. */
  | { readonly type: 'waits' }
  /** There is no way to ask. To be set before the first question. */
  | { readonly type: 'cannot-be-asked' };

export type ApproverHarness = {
  /** Asks by `clock`. */
  readonly approver: Approver;
  /** Says what the user does about the questions from now on, by their texts. */
  readonly reply: (replyTo: (text: string) => UserReply) => void;
  /** Lets the user who waits for longest choose, whether the question is still there or not. */
  readonly chooseNow: (answer: string) => void;
  /** The texts of all questions that were shown, in order. */
  readonly shown: () => readonly string[];
  /** Resolves once so many questions were shown. */
  readonly whenShown: (count: number) => Promise<void>;
  /** Resolves once so many questions were taken back from users who had not answered. */
  readonly whenTakenBack: (count: number) => Promise<void>;
  readonly dispose: () => Promise<void>;
};

export type ApproverPlace = { readonly clock: FakeClock };

export type Asking = ApproverHarness & { readonly clock: FakeClock; readonly abort: AbortController };

export type ApproverSubject = {
  readonly proof: Proof;
  /** Opens an approver whose user does this about each question: waits when it is missing. */
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
