import { expect } from 'vitest';
import { collectEvents, failureOf, textOf } from '../runner-places/collect-events.ts';
import { type GeminiRunnerSubject, manyRuns } from './gemini-runner-harness.ts';

const names: readonly string[] = ['ant', 'bee', 'cat', 'dog', 'eel', 'fox', 'gnu', 'hen'];

/** The promises for parallel and successive calls. */
export function describeGeminiRunnerIsolation({ proof, open }: GeminiRunnerSubject): void {
  proof.promise(
    'runs eight calls in parallel, each with its own answer, and mixes no texts',
    async () => {
      const harness = await open({ type: 'empty' });
      // No answer continues before every question has arrived.
      const release = harness.whenReceived(names.length);
      harness.arrange((input) => ({ type: 'answer', chunks: [`answer to ${input}`, ', and its end'], release }));
      const questionOf = (name: string): string => `question of canary-${name}`;
      const { resume } = harness.runner.capabilities;
      const answers = await Promise.all(
        names.map(async (name) => {
          const before = [
            { role: 'user', text: `before canary-${name}` },
            { role: 'model', text: `known to canary-${name}` },
          ] as const;
          const events = await collectEvents(harness, { input: questionOf(name), history: resume ? before : [] });
          return { text: textOf(events), failure: failureOf(events) };
        }),
      );
      expect(answers).toEqual(
        names.map((name) => ({ text: `answer to ${questionOf(name)}, and its end`, failure: null })),
      );
      expect(harness.received().toSorted()).toEqual(names.map(questionOf));
      const seenTogether = harness.carried?.().map(({ whole }) => new Set(whole.match(/canary-\w+/g)).size);
      expect(seenTogether ?? names.map(() => 1)).toEqual(names.map(() => 1));
      expect(await harness.leftovers()).toEqual([]);
    },
    manyRuns,
  );

  proof.promise(
    'sends the conversation of each request, whatever it has sent of it before',
    async () => {
      const harness = await open({ type: 'answer', chunks: ['first ', 'answer'] });
      if (harness.carried === undefined || !harness.runner.capabilities.resume) {
        return proof.skip('nothing to see, or to carry');
      }
      const first = [
        { role: 'user', text: 'first question' },
        { role: 'model', text: 'first answer' },
      ] as const;
      const second = [
        ...first,
        { role: 'user', text: 'second question' },
        { role: 'model', text: 'first answer' },
      ] as const;
      const retold = [first[0], { role: 'model', text: 'an answer that was never given' }] as const;
      const calls = [
        { input: 'first question', history: [] },
        { input: 'second question', history: first },
        { input: 'third question', history: second },
        { input: 'another second question', history: first },
        { input: 'second question', history: retold },
        { input: 'first question', history: [] },
      ];
      for (const call of calls) {
        const events = await collectEvents(harness, { ...call, mayContinue: true });
        expect(textOf(events)).toBe('first answer');
      }
      const seen = harness.carried().map(({ history }, index) => ({ input: harness.received()[index], history }));
      expect(seen).toEqual(calls);
      expect(await harness.leftovers()).toEqual([]);
    },
    manyRuns,
  );
}
