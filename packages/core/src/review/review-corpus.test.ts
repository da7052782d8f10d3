import { describe, expect, it } from 'vitest';
import { FakeChangeReader } from '../testing/fake-change-reader.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import type { Review } from './review.ts';
import { ReviewChange } from './review-change.ts';
import { type ChangeSample, changeSamples } from './testing/change-samples.ts';

const faulty = changeSamples.filter(({ fault }) => fault !== null);
const sound = changeSamples.filter(({ fault }) => fault === null);

/** A finding about a sample, as a model writes it. */
function findingOf({ path, after, changedLine, fault }: ChangeSample): Record<string, unknown> {
  const line = after.split('\n').indexOf(changedLine) + 1;
  return {
    path,
    first_line: line,
    last_line: line,
    severity: 'high',
    category: 'bug',
    confidence: 'high',
    title: fault ?? 'This looks wrong.',
    why: 'The next call gets a wrong result.',
    evidence: changedLine,
    old_text: changedLine,
    new_text: `${changedLine} # repaired`,
  };
}

/** Reviews a sample with a model that answers these findings. */
async function review({ path, before, after }: ChangeSample, findings: readonly unknown[]): Promise<Review> {
  const answer = { text: '', model: 'pro', attempts: [], usage: [], context: null };
  const useCase = new ReviewChange({
    clock: new FakeClock(),
    changes: new FakeChangeReader({ before: { [path]: before }, after: { [path]: after } }),
    boundaryOf: () => 'b0',
    askForJson: { ask: async () => ({ ok: true, answer, value: { summary: '', findings } }) },
  });
  const request = { owner: '', selection: { type: 'working' }, directory: '/project', roots: ['/project'] } as const;
  const result = await useCase.review(
    { ...request, focus: null, severity: 'low', model: null, timeoutMs: 60_000 },
    () => undefined,
    new AbortController().signal,
  );
  if (!result.ok) {
    throw new Error('not reviewed');
  }
  return result.review;
}

it('has 40 changes with a planted defect and 40 sound ones, in eight languages', () => {
  expect([faulty.length, sound.length]).toEqual([40, 40]);
  expect(new Set(changeSamples.map(({ path }) => path.split('.').at(-1))).size).toBe(8);
});

describe('a planted defect', () => {
  it.each(faulty)('of $path that is found is placed, verified and repaired', async (sample) => {
    const { findings } = await review(sample, [findingOf(sample)]);
    expect(findings).toMatchObject([
      { title: sample.fault, place: 'changed', evidenceCheck: 'found', repairCheck: 'applies', isVerified: true },
    ]);
    expect(findings[0]?.repair).toContain(`+${sample.changedLine} # repaired\n`);
  });
});

/** How answers go wrong, and what becomes of the finding. */
const wrongs: readonly (readonly [string, Record<string, unknown>, Record<string, unknown>])[] = [
  ['another file', { path: 'src/other.ts' }, { place: 'unknown', lines: null, repair: null }],
  ['a path outside', { path: '../../../etc/passwd' }, { place: 'unknown', lines: null, repair: null }],
  ['lines after the end', { first_line: 900, last_line: 901, evidence: '' }, { place: 'unknown', lines: null }],
  ['negative lines', { first_line: -4, last_line: -1, evidence: '' }, { place: 'unknown', lines: null }],
  ['invented evidence', { evidence: 'delete_everything()' }, { evidenceCheck: 'missing' }],
  ['no evidence', { evidence: '' }, { evidenceCheck: 'none' }],
  ['a bracket as evidence', { evidence: '{' }, { evidenceCheck: 'none' }],
];

describe('a wrong finding about a sound change', () => {
  it.each(sound.flatMap((sample, index) => [[sample, wrongs[index % wrongs.length] ?? wrongs[0]] as const]))(
    'is not verified: $0.path, $1.0',
    async (sample, wrong) => {
      const [, more = {}, expected = {}] = wrong ?? [];
      const { findings } = await review(sample, [{ ...findingOf(sample), ...more }]);
      expect(findings).toMatchObject([{ ...expected, isVerified: false }]);
    },
  );

  it.each(sound.slice(0, 8))('loses a repair that does not apply: $path', async (sample) => {
    const repairs = [{ old_text: 'not in the file' }, { old_text: 'step' }];
    const findings = repairs.map((repair, index) => ({ ...findingOf(sample), ...repair, title: `Repair ${index}` }));
    const reviewed = await review(sample, findings);
    expect(reviewed.findings).toMatchObject([
      { repair: null, repairCheck: 'fails' },
      { repair: null, repairCheck: 'fails' },
    ]);
  });
});

it.each(sound)('says nothing about the sound change of $path if the model does not', async (sample) => {
  expect(await review(sample, [])).toMatchObject({ findings: [], reviewed: [sample.path], notReviewed: [] });
});

it('drops entries that are no findings, and keeps the one that is', async () => {
  const [sample] = faulty;
  if (sample === undefined) {
    throw new Error('no sample');
  }
  const bad = [null, 7, 'approved', [], {}, { path: sample.path }, { ...findingOf(sample), severity: 'none' }];
  const reviewed = await review(sample, [...bad, findingOf(sample)]);
  expect(reviewed).toMatchObject({ findings: [{ isVerified: true }], dropped: { unusable: 7 } });
});
