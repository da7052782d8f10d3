import { describe, expect, it } from 'vitest';
import { checkPoints } from './check-points.ts';
import { comparisonForm, readPoints } from './comparison-form.ts';

const answers = new Map([
  [1, 'Use a lock.\nTwo writers **race** on `cache.json`, so the lock is needed.'],
  [2, 'No lock is needed: a rename is atomic.'],
  [3, 'Yes.'],
]);

const position = (answer: number, quote: string, says = 'It says so.'): object => ({ answer, says, quote });

const check = (...points: readonly unknown[]) => {
  const read = readPoints({ points });
  return { ...checkPoints(read.points, answers), unusable: read.unusable };
};

const point = (kind: string, ...positions: readonly object[]): object => ({
  kind,
  statement: 'Is a lock needed?',
  rests_on: positions,
});

const racing = position(1, 'so the lock is needed');
const renaming = position(2, 'a rename is atomic');

describe('a quote occurs in an answer', () => {
  it.each([
    ['word for word', position(1, 'Two writers **race** on `cache.json`')],
    ['without line ends and marks of Markdown', position(1, 'Use a lock. Two writers race on cache.json')],
    ['as all of a short one', position(3, 'Yes.')],
    ['at any length', position(1, `${answers.get(1)}`)],
  ])('%s', (_, standing) => {
    expect(check(point('only-one', standing)).points).toHaveLength(1);
  });

  it.each([
    ['of another number', position(2, 'so the lock is needed')],
    ['that is missing', position(7, 'so the lock is needed')],
    ['in other words', position(1, 'therefore the lock is needed')],
    ['as a few letters', position(1, 'a lock')],
    ['as nothing', position(1, ' ')],
  ])('but not %s', (_, missing) => {
    expect(check(point('only-one', missing))).toEqual({
      points: [],
      dropped: { quotes: 1, points: 1 },
      unusable: 0,
    });
  });

  it('and is shown up to 300 characters', () => {
    const long = new Map([[1, 'word '.repeat(200)]]);
    const { points } = readPoints({ points: [point('only-one', position(1, 'word '.repeat(100)))] });
    expect(checkPoints(points, long).points[0]?.positions[0]?.quote).toMatch(/^(?:word ){60}\u2026$/);
  });
});

describe('a point', () => {
  it('keeps the answers whose quotes occur there, in their order', () => {
    const made = position(3, 'No, never do that.');
    expect(check(point('contradiction', renaming, made, racing))).toMatchObject({
      points: [{ kind: 'contradiction', positions: [{ answer: 1 }, { answer: 2 }] }],
      dropped: { quotes: 1, points: 0 },
    });
  });

  it.each([
    ['an agreement of one answer', point('agreement', racing)],
    ['an agreement of one answer with itself', point('agreement', racing, position(1, 'Two writers race'))],
    ['a contradiction whose other side is made up', point('contradiction', racing, position(2, 'Locks are cheap.'))],
    ['what only one says, from two', point('only-one', racing, renaming)],
  ])('is dropped if it is %s', (_, wrong) => {
    expect(check(wrong)).toMatchObject({ points: [], dropped: { points: 1 } });
  });

  it('comes after agreements if it is a contradiction', () => {
    const kinds = check(
      point('contradiction', racing, renaming),
      point('only-one', racing),
      point('agreement', racing, renaming),
    );
    expect(kinds.points.map(({ kind }) => kind)).toEqual(['agreement', 'only-one', 'contradiction']);
  });
});

describe('an entry in no usable form', () => {
  it.each([
    ['no object', 'agreement'],
    ['another kind', point('praise', racing)],
    ['no statement', { ...point('only-one', racing), statement: ' ' }],
    ['no list of answers', { kind: 'only-one', statement: 'Yes.', rests_on: {} }],
  ])('is left out and counted: %s', (_, entry) => {
    expect(check(entry, point('only-one', racing))).toMatchObject({ points: [{}], unusable: 1 });
  });

  it('is any after the first 30', () => {
    expect(check(...Array(10_000).fill(point('only-one', racing)))).toMatchObject({ unusable: 9_970 });
  });

  it('makes no answer invalid that has a list of points', () => {
    expect(comparisonForm.findProblem({ points: [1] })).toBeNull();
    expect(comparisonForm.findProblem([])).toContain('"points"');
  });
});
