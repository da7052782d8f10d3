import { describe, expect, it } from 'vitest';
import { findingsForm, readFindings } from './findings-form.ts';

const entry = {
  path: 'a.ts',
  first_line: 1,
  last_line: 2,
  severity: 'high',
  category: 'bug',
  confidence: 'low',
  title: 'One\ntwo',
  why: 'Because.',
  evidence: 'x',
  old_text: '',
  new_text: '',
};

const read = (findings: unknown) => readFindings({ summary: 's', findings });

describe('findings of an answer', () => {
  it('have a title on one line, and no repair without an old text', () => {
    expect(read([entry]).findings).toMatchObject([{ title: 'One two', firstLine: 1, lastLine: 2, repair: null }]);
  });

  it.each([
    ['no object', 'text'],
    ['a list', []],
    ['an unknown severity', { ...entry, severity: 'APPROVED' }],
    ['no path', { ...entry, path: '' }],
    ['a path that is no text', { ...entry, path: { a: 1 } }],
    ['a blank title', { ...entry, title: ' ' }],
  ])('with %s are left out and counted', (_, bad) => {
    expect(read([bad, entry])).toMatchObject({ findings: [{ path: 'a.ts' }], unusable: 1 });
  });

  it('with unknown words for the rest keep the known ones', () => {
    const odd = { ...entry, category: 'style', confidence: 9, first_line: 'one', last_line: null, evidence: 3 };
    expect(read([odd]).findings).toMatchObject([{ category: 'other', confidence: 'low', firstLine: 0, evidence: '' }]);
  });

  it('are at most 200, and the rest is counted', () => {
    const { findings, unusable } = read(Array.from({ length: 10_000 }, () => entry));
    expect([findings.length, unusable]).toEqual([200, 9_800]);
  });

  it('are cut if they are too long to read, but never a repair', () => {
    const long = { ...entry, why: 'w'.repeat(9_000), old_text: 'o'.repeat(30_000), new_text: 'n' };
    expect(read([long]).findings).toMatchObject([{ why: `${'w'.repeat(3_999)}…`, repair: null }]);
  });
});

it.each([null, 'text', [], {}, { summary: 's' }, { summary: 's', findings: {} }])(
  'an answer of another form is a problem: %j',
  (value) => {
    expect(findingsForm.findProblem(value)).toContain('must be an object');
  },
);
