import { describe, expect, it } from 'vitest';
import { findFaults, fitSlope } from '../bench/src/soak/find-faults.ts';

const usual = {
  processes: 4,
  descriptors: 40,
  files: 100,
  ownRssBytes: 100_000_000,
  ownHeapBytes: 20_000_000,
  childRssBytes: 400_000_000,
};
const nothing = {
  processes: 0,
  descriptors: 24,
  files: 0,
  ownRssBytes: 90_000_000,
  ownHeapBytes: 15_000_000,
  childRssBytes: 0,
};

function phase(changes) {
  return {
    name: 'a phase',
    calls: 200,
    durationMs: 1,
    endings: new Map([
      ['answered', 150],
      ['crashed', 50],
    ]),
    wrong: new Map(),
    reports: new Map(),
    before: nothing,
    samples: series(() => ({})),
    after: nothing,
    ...changes,
  };
}

function series(changeOf) {
  return Array.from({ length: 100 }, (_, index) => ({ ...usual, ...changeOf(index) }));
}

describe('fitSlope', () => {
  it('knows a straight line, and how sure it is', () => {
    expect(fitSlope([1, 3, 5, 7])).toEqual({ mean: 4, growth: 6, error: 0 });
    expect(fitSlope([1, -1, 1, -1, 1, -1, 1, -1]).error).toBeGreaterThan(1);
  });

  it('sees no growth in too little', () => {
    expect(fitSlope([])).toMatchObject({ mean: 0, growth: 0 });
    expect(fitSlope([1, 9])).toMatchObject({ mean: 5, growth: 0 });
  });
});

describe('findFaults', () => {
  it('finds nothing if everything ends, nothing grows and nothing is left', () => {
    expect(findFaults(phase({}))).toEqual([]);
  });

  it('passes over what goes up and down, and over what grows in the first half only', () => {
    expect(findFaults(phase({ samples: series((index) => ({ files: 100 + (index % 7) * 20 })) }))).toEqual([]);
    expect(findFaults(phase({ samples: series((index) => ({ files: Math.min(index, 50) })) }))).toEqual([]);
  });

  it.each([
    ['processes', (index) => 4 + Math.floor(index / 20)],
    ['descriptors', (index) => 40 + Math.floor(index / 10)],
    ['files', (index) => 100 + index + (index % 7) * 5],
    ['ownRssBytes', (index) => 100_000_000 + index * 500_000],
    ['ownHeapBytes', (index) => 20_000_000 + index * 25_000],
    ['childRssBytes', (index) => 400_000_000 + index * 2_000_000],
  ])('finds that %s grow', (name, valueAt) => {
    expect(findFaults(phase({ samples: series((index) => ({ [name]: valueAt(index) })) }))).toEqual([`${name} grow.`]);
  });

  it('lets a heap grow by a megabyte in a thousand calls, and by no more', () => {
    const growing = (bytes) => series((index) => ({ ownHeapBytes: 20_000_000 + index * bytes }));
    const calls = 20_000;
    const endings = new Map([['answered', calls]]);
    // Over the 49 steps of the second half: ten thousand calls.
    expect(findFaults(phase({ calls, endings, samples: growing(210_000) }))).toEqual([]);
    expect(findFaults(phase({ calls, endings, samples: growing(220_000) }))).toEqual(['ownHeapBytes grow.']);
  });

  it.each([
    [
      'a strange answer',
      { wrong: new Map([['an answer to something else', 1]]) },
      'an answer to something else, 1 times.',
    ],
    ['a call without an end', { endings: new Map([['answered', 199]]) }, '1 calls have not ended.'],
    ['no answer at all', { endings: new Map([['crashed', 200]]) }, 'No call was answered.'],
    ['a process that is left', { after: { ...nothing, processes: 1 } }, 'processes are left.'],
    ['a file that is left', { after: { ...nothing, files: 1 } }, 'files are left.'],
    ['descriptors that are left', { after: { ...nothing, descriptors: 26 } }, 'Descriptors are left.'],
  ])('finds %s', (_, changes, fault) => {
    expect(findFaults(phase(changes))).toEqual([fault]);
  });
});
