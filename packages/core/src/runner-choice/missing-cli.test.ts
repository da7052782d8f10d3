import { describe, expect, it } from 'vitest';
import type { GeminiFailure } from '../failure/gemini-failure.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { MissingCli } from './missing-cli.ts';
import type { EndedRun } from './tells-nothing.ts';

function failed(failure: GeminiFailure, wasSeen = false): EndedRun {
  return { end: { type: 'failure', failure }, wasSeen };
}

const missing = failed({ kind: 'cli-missing', detail: 'There is no `gemini`.' });
const answered: EndedRun = { end: { type: 'answer', ending: null }, wasSeen: true };
const minuteMs = 60_000;

function missed(runs: readonly EndedRun[], clock = new FakeClock()): MissingCli {
  const cli = new MissingCli({ clock });
  for (const run of runs) {
    cli.record(run);
  }
  return cli;
}

describe('MissingCli', () => {
  it.each<[string, readonly EndedRun[], boolean]>([
    ['nothing', [], false],
    ['a run that found none', [missing], true],
    ['one that found none and one that was cancelled', [missing, failed({ kind: 'cancelled' })], true],
    [
      'one that found none and one without resources',
      [missing, failed({ kind: 'resources-exhausted', detail: '' })],
      true,
    ],
    ['one that found none and one that answered', [missing, answered], false],
    ['one that found none and one that a CLI failed', [missing, failed({ kind: 'overloaded', excerpt: '' })], false],
    [
      'one that found none and one by a CLI without the mode',
      [missing, failed({ kind: 'runner-unavailable', excerpt: 'Unknown argument: acp' })],
      false,
    ],
    [
      'one that found none and one that timed out while it answered',
      [missing, failed({ kind: 'timeout' }, true)],
      false,
    ],
  ])('knows after %s whether there is a CLI', (_, runs, isMissing) => {
    const cli = missed(runs);
    expect([cli.isMissing, cli.isSurelyMissing]).toEqual([isMissing, isMissing]);
  });

  it('is worth another search after a minute, and stays missing until that has found one', async () => {
    const clock = new FakeClock();
    const cli = missed([missing], clock);
    await clock.advance(minuteMs - 1);
    expect(cli.isSurelyMissing).toBe(true);
    await clock.advance(1);
    expect([cli.isMissing, cli.isSurelyMissing]).toEqual([true, false]);
    cli.record(missing);
    expect(cli.isSurelyMissing).toBe(true);
  });
});
