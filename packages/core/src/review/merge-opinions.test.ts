import { describe, expect, it } from 'vitest';
import { checkFinding, type ReviewedFile } from './check-finding.ts';
import type { Finding, RawFinding } from './finding.ts';
import { orderFindings } from './order-findings.ts';

const file: ReviewedFile = {
  path: 'a.ts',
  oldPath: 'a.ts',
  newPath: 'a.ts',
  hunks: [],
  isBinary: false,
  isSubmodule: false,
  text: '',
  after: Array.from({ length: 20 }, (_, index) => `line ${index + 1};\n`).join(''),
};

function finding(first: number, last: number, more: Partial<RawFinding> = {}): Finding {
  const raw: RawFinding = {
    path: 'a.ts',
    firstLine: first,
    lastLine: last,
    severity: 'high',
    category: 'bug',
    confidence: 'high',
    title: `Lines ${first} to ${last} fail.`,
    why: 'They do.',
    evidence: `line ${first};`,
    repair: null,
    ...more,
  };
  return checkFinding(raw, new Map([['a.ts', file]]));
}

const merge = (...byOpinion: readonly (readonly Finding[])[]) =>
  orderFindings(byOpinion, { least: 'low', known: new Set() });

const shownBy = (...byOpinion: readonly (readonly Finding[])[]) =>
  merge(...byOpinion).findings.map(({ lines, reports }) => [lines?.first, reports?.map(({ opinion }) => opinion)]);

describe('findings of several opinions', () => {
  it.each<[string, readonly (readonly Finding[])[], unknown]>([
    ['on overlapping lines are one', [[finding(1, 3)], [finding(3, 4)]], [[1, [1, 2]]]],
    ['of three are one', [[finding(1, 3)], [finding(2, 2)], [finding(3, 3)]], [[1, [1, 2, 3]]]],
    [
      'side by side stay two',
      [[finding(1, 2)], [finding(3, 4)]],
      [
        [1, [1]],
        [3, [2]],
      ],
    ],
    [
      'of one opinion stay two',
      [[finding(1, 3), finding(2, 2)], []],
      [
        [1, [1]],
        [2, [1]],
      ],
    ],
    [
      'are paired one by one',
      [[finding(1, 3), finding(2, 2)], [finding(2, 3)]],
      [
        [1, [1, 2]],
        [2, [1]],
      ],
    ],
  ])('%s', (_, byOpinion, expected) => {
    expect(shownBy(...byOpinion)).toEqual(expected);
  });

  it('without lines are one only by the same words', () => {
    const lost = (title: string): Finding => finding(1, 1, { path: 'lost.ts', title });
    expect(merge([lost('It fails.')], [lost('It fails.')], [lost('It throws.')]).findings).toMatchObject([
      { lines: null, reports: [{ opinion: 1 }, { opinion: 2 }] },
      { lines: null, reports: [{ opinion: 3 }] },
    ]);
  });

  it('are shown as the best of them, with the words of each', () => {
    const mild = finding(2, 2, { severity: 'low', title: 'A detail.' });
    const severe = finding(1, 2, { severity: 'critical', title: 'It loses data.' });
    expect(merge([mild], [severe]).findings).toMatchObject([
      {
        title: 'It loses data.',
        reports: [
          { opinion: 2, severity: 'critical', title: 'It loses data.' },
          { opinion: 1, severity: 'low', title: 'A detail.' },
        ],
      },
    ]);
  });

  it('are counted once if they repeat within an opinion, and not across opinions', () => {
    expect(merge([finding(1, 1), finding(1, 1)], [finding(1, 1)])).toMatchObject({ findings: [{}], repeated: 1 });
  });

  it('have fingerprints of their own', () => {
    const same = { evidence: 'line 2;' };
    const { findings } = merge([finding(1, 2, same), finding(2, 2, { ...same, title: 'Another.' })], []);
    expect(new Set(findings.map(({ fingerprint }) => fingerprint)).size).toBe(2);
  });
});

it('a review by one opinion has no reports', () => {
  expect(merge([finding(1, 1)]).findings[0]).not.toHaveProperty('reports');
});
