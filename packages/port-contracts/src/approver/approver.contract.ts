import type { ApprovalAnswer, ApprovalQuestion } from '@gemini-mcp/core';
import { FakeClock } from '@gemini-mcp/core/testing';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { listenersLeft } from '../listeners-left.ts';
import { Proof } from '../proof.ts';
import {
  type ApproverHarness,
  type ApproverPlace,
  type ApproverSubject,
  type Asking,
  questionAbout,
  type UserReply,
} from './approver-harness.ts';
import { describeWhatIsShown } from './approver-shown.contract.ts';

export type ApproverContractOptions = {
  readonly name: string;
  readonly create: (place: ApproverPlace) => Promise<ApproverHarness>;
  /** As in `ProofOptions`. */
  readonly deadlineMs?: number;
};

const answers: readonly ApprovalAnswer[] = ['once', 'run', 'server', 'always', 'no'];
const waits: UserReply = { type: 'waits' };

/** The promises of every `Approver`. */
export function describeApproverContract({ name, create, deadlineMs }: ApproverContractOptions): void {
  describe(`Approver contract: ${name}`, () => {
    const proof = new Proof({ subject: `Approver ${JSON.stringify(name)}`, deadlineMs });
    let harness: ApproverHarness | null = null;
    let abort = new AbortController();
    beforeEach(() => {
      abort = new AbortController();
    });
    afterEach(async () => {
      await harness?.dispose();
      harness = null;
    });
    const open = async (reply: UserReply = waits): Promise<Asking> => {
      const clock = new FakeClock();
      const opened = await create({ clock });
      opened.reply(() => reply);
      harness = opened;
      return { ...opened, approver: proof.watch(opened.approver), clock, abort };
    };
    const subject = { proof, open };
    describeAnswers(subject);
    describeWhatIsNoAnswer(subject);
    describeTime(subject);
    describeQuestionsSideBySide(subject);
    describeWhatIsShown(subject);
  });
}

function describeAnswers({ proof, open }: ApproverSubject): void {
  for (const answer of answers) {
    proof.promise(`the answer ${answer} is returned as given`, async () => {
      const { approver, clock, abort } = await open({ type: 'chooses', answer });
      const question = questionAbout(['npm'], clock, { wholeServer: 'every tool of files' });
      expect(await approver.ask(question, abort.signal)).toEqual({ type: 'answered', answer });
    });
  }

  proof.promise('two concurrent questions get one answer each', async () => {
    const { approver, reply, clock, abort } = await open();
    reply((text) => ({ type: 'chooses', answer: text.includes('first') ? 'no' : 'once' }));
    const outcomes = ['first', 'second'].map((word) => approver.ask(questionAbout([word], clock), abort.signal));
    expect(await Promise.all(outcomes)).toEqual([
      { type: 'answered', answer: 'no' },
      { type: 'answered', answer: 'once' },
    ]);
  });

  proof.promise('a repeated question is asked again: no answer is remembered', async () => {
    const { approver, reply, shown, clock, abort } = await open({ type: 'chooses', answer: 'run' });
    const question = questionAbout(['npm'], clock);
    await approver.ask(question, abort.signal);
    reply(() => ({ type: 'chooses', answer: 'no' }));
    expect(await approver.ask(question, abort.signal)).toEqual({ type: 'answered', answer: 'no' });
    expect(shown()).toHaveLength(2);
  });
}

function describeWhatIsNoAnswer({ proof, open }: ApproverSubject): void {
  const notOffered: readonly (readonly [string, Partial<ApprovalQuestion>])[] = [
    ['run', { kind: null, lasting: null }],
    ['always', { lasting: null }],
    ['server', { lasting: null }],
    ['yes', {}],
    ['ONCE', {}],
    ['once ', {}],
    ['', {}],
    ['accept', {}],
  ];
  for (const [answer, fields] of notOffered) {
    const among = fields.lasting === null ? ' to a question that does not offer it' : '';
    proof.promise(`ASK-03: ${JSON.stringify(answer)} is not an answer${among}`, async () => {
      const { approver, clock, abort } = await open({ type: 'chooses', answer });
      const outcome = await approver.ask(questionAbout(['npm'], clock, fields), abort.signal);
      expect(outcome).toEqual({ type: 'unanswered', reason: 'invalid-answer' });
    });
  }

  const others: readonly (readonly [UserReply, string])[] = [
    [{ type: 'agrees' }, 'invalid-answer'],
    [{ type: 'dismisses' }, 'dismissed'],
    [{ type: 'fails' }, 'failed'],
  ];
  for (const [reply, reason] of others) {
    proof.promise(`ASK-03: a user who ${reply.type} has not answered`, async () => {
      const { approver, clock, abort } = await open(reply);
      const outcome = await approver.ask(questionAbout(['npm'], clock), abort.signal);
      expect(outcome).toEqual({ type: 'unanswered', reason });
    });
  }

  proof.promise('a user who cannot be asked is not asked, and the outcome says what to do', async () => {
    const { approver, shown, clock, abort } = await open({ type: 'cannot-be-asked' });
    const outcome = await approver.ask(questionAbout(['npm'], clock), abort.signal);
    expect(outcome).toEqual({ type: 'cannot-ask', text: expect.stringMatching(/\w+ \w+ .*\./) });
    expect(shown()).toEqual([]);
  });
}

function describeTime({ proof, open }: ApproverSubject): void {
  proof.promise('waits until the deadline and no longer, and then withdraws the question', async () => {
    const { approver, whenShown, whenTakenBack, clock, abort } = await open();
    let isSettled = false;
    const asking = approver.ask(questionAbout(['npm'], clock), abort.signal).finally(() => {
      isSettled = true;
    });
    await whenShown(1);
    await clock.advance(299_999);
    expect(isSettled).toBe(false);
    await clock.advance(1);
    expect(await asking).toEqual({ type: 'unanswered', reason: 'timed-out' });
    await whenTakenBack(1);
    expect(clock.sleeping).toBe(0);
  });

  proof.promise('an answer after the deadline counts neither for its question nor for the next one', async () => {
    const { approver, reply, chooseNow, whenShown, clock, abort } = await open();
    const asking = approver.ask(questionAbout(['npm'], clock), abort.signal);
    await whenShown(1);
    await clock.advance(300_000);
    chooseNow('always');
    expect(await asking).toEqual({ type: 'unanswered', reason: 'timed-out' });
    reply(() => ({ type: 'dismisses' }));
    const next = await approver.ask(questionAbout(['npm'], clock), abort.signal);
    expect(next).toEqual({ type: 'unanswered', reason: 'dismissed' });
  });

  proof.promise('a question whose deadline has passed is not shown', async () => {
    const { approver, shown, clock, abort } = await open({ type: 'chooses', answer: 'once' });
    const over = questionAbout(['npm'], clock, { deadlineAtMs: clock.now() });
    expect(await approver.ask(over, abort.signal)).toEqual({ type: 'unanswered', reason: 'timed-out' });
    expect(shown()).toEqual([]);
  });

  proof.promise('an abort withdraws the question, and no later answer counts', async () => {
    const { approver, chooseNow, whenShown, whenTakenBack, clock, abort } = await open();
    const asking = approver.ask(questionAbout(['npm'], clock), abort.signal);
    await whenShown(1);
    abort.abort();
    chooseNow('once');
    expect(await asking).toEqual({ type: 'unanswered', reason: 'cancelled' });
    await whenTakenBack(1);
    expect(clock.sleeping).toBe(0);
  });

  proof.promise('a signal that is already aborted prevents the question', async () => {
    const { approver, shown, clock, abort } = await open({ type: 'chooses', answer: 'once' });
    abort.abort();
    const outcome = await approver.ask(questionAbout(['npm'], clock), abort.signal);
    expect(outcome).toEqual({ type: 'unanswered', reason: 'cancelled' });
    expect(shown()).toEqual([]);
  });

  proof.promise('leaves no timer, and no listener on the signal', async () => {
    const { approver, clock, abort } = await open({ type: 'chooses', answer: 'once' });
    await approver.ask(questionAbout(['npm'], clock), abort.signal);
    expect(clock.sleeping).toBe(0);
    expect(listenersLeft(abort.signal)).toBe(0);
  });
}

/** Whether a user sees them together or one after the other. */
function describeQuestionsSideBySide({ proof, open }: ApproverSubject): void {
  const timedOut = { type: 'unanswered', reason: 'timed-out' };
  const once = { type: 'answered', answer: 'once' };

  proof.promise('an abort ends only its own question, whether it is shown or waiting', async () => {
    const { approver, chooseNow, whenShown, clock, abort } = await open();
    const other = new AbortController();
    const first = approver.ask(questionAbout(['first'], clock), abort.signal);
    await whenShown(1);
    const second = approver.ask(questionAbout(['second'], clock), other.signal);
    other.abort();
    expect(await second).toEqual({ type: 'unanswered', reason: 'cancelled' });
    chooseNow('once');
    expect(await first).toEqual(once);
    expect([listenersLeft(abort.signal), listenersLeft(other.signal)]).toEqual([0, 0]);
  });

  proof.promise('the abort of a question lets the next one be answered', async () => {
    const { approver, chooseNow, whenShown, clock, abort } = await open();
    const first = approver.ask(questionAbout(['first'], clock), abort.signal);
    await whenShown(1);
    const second = approver.ask(questionAbout(['second'], clock), new AbortController().signal);
    abort.abort();
    expect(await first).toEqual({ type: 'unanswered', reason: 'cancelled' });
    await whenShown(2);
    // The first one has waited longest and is gone.
    chooseNow('no');
    chooseNow('once');
    expect(await second).toEqual(once);
  });

  proof.promise('a deadline ends only its own question, whether it is shown or waiting', async () => {
    const { approver, chooseNow, whenShown, clock, abort } = await open();
    const first = approver.ask(questionAbout(['first'], clock), abort.signal);
    await whenShown(1);
    const deadlineAtMs = clock.now() + 1_000;
    const second = approver.ask(questionAbout(['second'], clock, { deadlineAtMs }), abort.signal);
    await clock.advance(1_000);
    expect(await second).toEqual(timedOut);
    chooseNow('once');
    expect(await first).toEqual(once);
    expect(clock.sleeping).toBe(0);
  });

  proof.promise('the deadline of a question counts its time in the queue', async () => {
    const { approver, chooseNow, whenShown, clock, abort } = await open();
    const first = approver.ask(questionAbout(['first'], clock), abort.signal);
    await whenShown(1);
    const deadlineAtMs = clock.now() + 2_000;
    const second = approver.ask(questionAbout(['second'], clock, { deadlineAtMs }), abort.signal);
    await clock.advance(1_500);
    chooseNow('once');
    expect(await first).toEqual(once);
    await whenShown(2);
    await clock.advance(500);
    expect(await second).toEqual(timedOut);
  });
}
