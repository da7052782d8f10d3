import { describe, expect, it } from 'vitest';
import type { RunOutcome } from '../failure/run-outcome.ts';
import { answeredOutcome } from '../testing/answered-outcome.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { RunnerRest } from './runner-rest.ts';

const nothingSaid = { completion: 'missing', sawEvents: false, answered: false, exitCode: null } as const;
const unavailable: RunOutcome = {
  ...answeredOutcome,
  ...nothingSaid,
  termination: 'not-started',
  startError: { code: 'runner-unavailable', detail: 'Unknown argument: acp' },
};
const refused: RunOutcome = { ...answeredOutcome, ...nothingSaid, termination: 'refused', unsupported: 'directory' };
const cancelled: RunOutcome = { ...answeredOutcome, ...nothingSaid, termination: 'cancelled' };
const restMs = 300_000;

function restAfter(outcomes: readonly RunOutcome[], clock = new FakeClock()): RunnerRest {
  const rest = new RunnerRest({ clock });
  for (const outcome of outcomes) {
    rest.record(outcome);
  }
  return rest;
}

describe('RunnerRest', () => {
  it.each<[string, readonly RunOutcome[], boolean]>([
    ['nothing', [], false],
    ['one time', [unavailable], false],
    ['two times', [unavailable, unavailable], true],
    ['two times with an answer between them', [unavailable, answeredOutcome, unavailable], false],
    [
      'two times with an early abort after events between them',
      [unavailable, { ...cancelled, sawEvents: true }, unavailable],
      false,
    ],
    ['two times with ends between them that tell nothing', [unavailable, refused, cancelled, unavailable], true],
    ['an answer that comes late', [unavailable, unavailable, answeredOutcome], false],
    [
      'two times without a CLI',
      Array(2).fill({ ...unavailable, startError: { code: 'cli-missing', detail: '' } }),
      false,
    ],
  ])('is taken or not after %s', (_, outcomes, isResting) => {
    expect(restAfter(outcomes).isResting).toBe(isResting);
  });

  it('ends after five minutes, and takes two more times to begin again', async () => {
    const clock = new FakeClock();
    const rest = restAfter([unavailable, unavailable], clock);
    await clock.advance(restMs - 1);
    expect(rest.isResting).toBe(true);
    await clock.advance(1);
    expect(rest.isResting).toBe(false);
    rest.record(unavailable);
    expect(rest.isResting).toBe(false);
    rest.record(unavailable);
    expect(rest.isResting).toBe(true);
  });

  it('is not made longer by runs that began before it', async () => {
    const clock = new FakeClock();
    const rest = restAfter([unavailable, unavailable], clock);
    await clock.advance(restMs - 1);
    rest.record(unavailable);
    rest.record(unavailable);
    await clock.advance(1);
    expect(rest.isResting).toBe(false);
  });
});
