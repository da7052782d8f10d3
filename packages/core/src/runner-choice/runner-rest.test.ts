import { describe, expect, it } from 'vitest';
import type { GeminiFailure } from '../failure/gemini-failure.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { RunnerRest } from './runner-rest.ts';
import type { EndedRun } from './tells-nothing.ts';

function failed(failure: GeminiFailure, wasSeen = false): EndedRun {
  return { end: { type: 'failure', failure }, wasSeen };
}

const answered: EndedRun = { end: { type: 'answer', ending: { type: 'complete' } }, wasSeen: true };
const unavailable = failed({ kind: 'runner-unavailable', excerpt: 'Unknown argument: acp' });
const refused = failed({ kind: 'unsupported', feature: 'directory' });
const cancelled = failed({ kind: 'cancelled' });
const overloaded = failed({ kind: 'overloaded', excerpt: '' });
const withoutCli = failed({ kind: 'cli-missing', detail: '' });
const restMs = 300_000;

function restAfter(runs: readonly EndedRun[], clock = new FakeClock()): RunnerRest {
  const rest = new RunnerRest({ clock });
  for (const run of runs) {
    rest.record(run);
  }
  return rest;
}

describe('RunnerRest', () => {
  it.each<[string, readonly EndedRun[], boolean]>([
    ['nothing', [], false],
    ['one time', [unavailable], false],
    ['two times', [unavailable, unavailable], true],
    ['two times with an answer between them', [unavailable, answered, unavailable], false],
    ['two times with an error of the API between them', [unavailable, overloaded, unavailable], false],
    [
      'two times with an abort between them of a run that had begun to answer',
      [unavailable, failed({ kind: 'cancelled' }, true), unavailable],
      false,
    ],
    ['two times with ends between them that tell nothing', [unavailable, refused, cancelled, unavailable], true],
    ['an answer that comes late', [unavailable, unavailable, answered], false],
    ['two times without a CLI', [withoutCli, withoutCli], false],
  ])('is taken or not after %s', (_, runs, isResting) => {
    expect(restAfter(runs).isResting).toBe(isResting);
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
