import { describe, expect, it } from 'vitest';
import { unifiedDiff } from '../edits/unified-diff.ts';
import { checkFinding, type ReviewedFile } from './check-finding.ts';
import type { RawFinding } from './finding.ts';
import { parsePatch } from './parse-patch.ts';

const before = Array.from({ length: 40 }, (_, index) => `line ${index + 1} of the file`).join('\n');
const after = before.replace('line 20 of', 'changed 20 of').replace('line 10 of the file\n', '');

function fileOf(path: string, old: string, now: string): ReviewedFile {
  const parsed = parsePatch(unifiedDiff({ path, before: old, after: now }).diff);
  const [file] = parsed.ok ? parsed.files : [];
  if (file === undefined) {
    throw new Error('no file');
  }
  return { ...file, path, after: now };
}

const files = new Map([['src/a.ts', fileOf('src/a.ts', before, after)]]);

const raw: RawFinding = {
  path: 'src/a.ts',
  firstLine: 19,
  lastLine: 19,
  severity: 'high',
  category: 'bug',
  confidence: 'high',
  title: 'It breaks.',
  why: 'Because.',
  evidence: 'changed 20 of the file',
  repair: null,
};

const check = (more: Partial<RawFinding>) => checkFinding({ ...raw, ...more }, files);

describe('a place', () => {
  it.each([
    ['on a changed line', { firstLine: 19, lastLine: 19 }, 'changed'],
    ['right after a removed line', { firstLine: 10, lastLine: 10, evidence: 'line 11 of the file' }, 'changed'],
    ['near a change', { firstLine: 17, lastLine: 18, evidence: 'line 18 of the file' }, 'near'],
    ['elsewhere in the file', { firstLine: 35, lastLine: 35, evidence: 'line 36 of the file' }, 'outside'],
    ['after the end of the file', { firstLine: 90, lastLine: 91, evidence: '' }, 'unknown'],
    ['before the beginning', { firstLine: 0, lastLine: 0, evidence: '' }, 'unknown'],
    ['at lines in the wrong order', { firstLine: 19, lastLine: 3 }, 'changed'],
    ['in a file that was not sent', { path: 'src/b.ts' }, 'unknown'],
    ['in a path outside', { path: '../../etc/passwd' }, 'unknown'],
  ] as const)('%s is told: %j', (_, more, place) => {
    const found = check(more);
    expect(found.place).toBe(place);
    expect(found.lines === null).toBe(place === 'unknown');
  });

  it.each(['./src/a.ts', 'a/src/a.ts', 'b/src/a.ts'])('may have the prefix of a diff: %s', (path) => {
    expect(check({ path })).toMatchObject({ path: 'src/a.ts', isVerified: true });
  });
});

describe('evidence', () => {
  it('is found at its lines, whatever its indentation', () => {
    expect(check({ evidence: '   changed 20 of the file  ' })).toMatchObject({
      evidenceCheck: 'found',
      isVerified: true,
    });
  });

  it('found at one other place corrects the lines', () => {
    const found = check({ firstLine: 2, lastLine: 2, evidence: 'line 35 of the file\nline 36 of the file' });
    expect(found).toMatchObject({ evidenceCheck: 'moved', lines: { first: 34, last: 35 }, isVerified: true });
  });

  it('may be a removed line', () => {
    expect(check({ firstLine: 10, lastLine: 10, evidence: 'line 10 of the file' })).toMatchObject({
      evidenceCheck: 'found',
      isVerified: true,
    });
  });

  it.each([
    ['invented', 'if (user.isAdmin) return;', 'missing'],
    ['partly invented', 'changed 20 of the file\nand more', 'missing'],
    ['empty', ' \n ', 'none'],
    ['a bracket', '}', 'none'],
  ])('that is %s verifies nothing', (_, evidence, evidenceCheck) => {
    expect(check({ evidence })).toMatchObject({ evidenceCheck, isVerified: false });
  });
});

describe('a repair', () => {
  it('whose old text occurs once becomes a patch that applies', () => {
    const { repair, repairCheck } = check({ repair: { oldText: 'changed 20 of', newText: 'line 20 of' } });
    expect(repairCheck).toBe('applies');
    expect(repair).toContain('-changed 20 of the file\n+line 20 of the file\n');
  });

  it.each([
    ['occurs nowhere', 'changed 21 of'],
    ['occurs at several places', 'of the file'],
    ['belongs to the old file', 'line 10 of the file'],
  ])('whose old text %s is left out', (_, oldText) => {
    expect(check({ repair: { oldText, newText: 'x' } })).toMatchObject({ repair: null, repairCheck: 'fails' });
  });

  it('in a file with line ends of Windows applies as well', () => {
    expect(
      check({ repair: { oldText: 'changed 20 of the file\r\nline 21', newText: 'x\r\nline 21' } }).repairCheck,
    ).toBe('applies');
  });
});
