import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { FakeClock } from '@gemini-mcp/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SkippedFiles } from '../../files/skipped-files.ts';
import { WalkFindings } from '../../files/walk-findings.ts';
import { chooseDescriptorProof, type DescriptorProof } from '../open-verified.ts';
import { RealRoots } from '../real-roots.ts';
import { TimeSlices } from '../time-slices.ts';
import { wantEverything } from './entry-filter.ts';
import { DirectoryWalker, type WalkEnd, type WalkOptions, type WalkVisitor } from './walk-directory.ts';
import { WalkTime } from './walk-time.ts';

const proofs: readonly DescriptorProof[] =
  chooseDescriptorProof() === 'kernel-link' ? ['kernel-link', 'second-look'] : ['second-look'];

describe.each(proofs)('DirectoryWalker with proof by %s', (proof) => {
  let base: string;

  beforeEach(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'walk-')));
    for (const path of ['root/a/b/c', 'root/a-b', 'root/a/b.c', 'root/z', 'out/secret']) {
      mkdirSync(dirname(join(base, path)), { recursive: true });
      writeFileSync(join(base, path), '');
    }
    symlinkSync('../out', join(base, 'root/link'));
  });

  afterEach(() => {
    rmSync(base, { recursive: true, force: true });
  });

  async function walk(
    names: readonly string[],
    options: Partial<WalkOptions> = {},
    deadlineAtMs = Number.MAX_SAFE_INTEGER,
  ): Promise<{ ends: WalkEnd[]; paths: string[]; leftOut: unknown }> {
    const ledger = new SkippedFiles();
    const visitor = new WalkFindings('directory', ledger);
    const roots = new RealRoots({ directories: [join(base, 'root')] });
    const slices = new TimeSlices({ clock: new FakeClock(), deadlineAtMs }, new AbortController().signal);
    const walker = new DirectoryWalker({
      roots,
      proof,
      slices,
      visitor,
      maxEntries: 100,
      visitsOnce: true,
      ...options,
    });
    const ends: WalkEnd[] = [];
    for (const name of names) {
      const place = { absolutePath: join(base, 'root', name), displayPath: name };
      const end = await walker.walk(place, wantEverything(name));
      visitor.conclude(name, [end], { reason: 'not-found' });
      ends.push(end);
    }
    return { ends, paths: visitor.candidates().map(({ displayPath }) => displayPath), leftOut: ledger.entries() };
  }

  it('finds files and links below, in the order of whole paths', async () => {
    expect(await walk([''])).toEqual({
      ends: ['complete'],
      paths: ['a-b', 'a/b.c', 'a/b/c', 'link', 'z'],
      leftOut: [],
    });
  });

  it('refuses to begin outside, at a file, or nowhere', async () => {
    const { ends, paths } = await walk(['link', '../out', 'z', 'none']);
    expect(paths).toEqual([]);
    expect(ends.map((end) => (typeof end === 'string' ? end : end.reason))).toEqual([
      'outside-roots',
      'outside-roots',
      'not-a-directory',
      'not-found',
    ]);
  });

  it('visits each directory once', async () => {
    const { ends, paths } = await walk(['a/b', '', 'a']);
    expect(ends).toEqual(['complete', 'complete', 'complete']);
    expect(paths).toEqual(['a-b', 'a/b.c', 'a/b/c', 'link', 'z']);
  });

  it.each([0, 3, 5])('stops listing after %d entries, and reports it', async (maxEntries) => {
    const { ends, paths, leftOut } = await walk(['', 'a'], { maxEntries });
    expect(ends[0]).toBe('too-many-entries');
    expect(paths.length).toBeLessThanOrEqual(maxEntries);
    expect(leftOut).toContainEqual(
      expect.objectContaining({ path: '', reason: 'search-stopped', origin: 'directory' }),
    );
  });

  it('ends at the deadline', async () => {
    const { ends, paths, leftOut } = await walk(['', 'a'], {}, 0);
    expect(ends).toEqual(['deadline', 'deadline']);
    expect(paths).toEqual([]);
    expect(leftOut).toEqual([
      { path: '', reason: 'deadline', origin: 'directory' },
      { path: 'a', reason: 'deadline', origin: 'directory' },
    ]);
  });

  describe('SWAP-06: with a limit on the time that its own slices take', () => {
    const words = (place: string): string =>
      `it took too long and stopped in ${place}: nothing after it was looked at; name a smaller directory`;

    /** Walks twice; in the first walk one file takes the call 5 s. */
    async function walkSlowly(entriesBefore: number): Promise<readonly WalkEnd[]> {
      const slices = { workedMs: 0 };
      const time = new WalkTime(slices);
      time.countEntries(entriesBefore);
      const visitor: WalkVisitor = {
        entry: ({ displayPath }) => {
          slices.workedMs += displayPath === 'a/b/c' ? 5_000 : 0;
        },
        refused: () => undefined,
        visitedBefore: () => undefined,
      };
      return (await walk(['', 'a/b'], { time, visitor, visitsOnce: false })).ends;
    }

    it('stops a large walk at the limit, and reports where', async () => {
      expect(await walkSlowly(20_000)).toEqual([
        { ok: false, reason: 'search-stopped', detail: words('a') },
        { ok: false, reason: 'search-stopped', detail: words('a/b') },
      ]);
    });

    it('stops no walk of ordinary size, however slow the machine is', async () => {
      expect(await walkSlowly(19_000)).toEqual(['complete', 'complete']);
    });
  });

  it('does not count entries that it need not list', async () => {
    expect((await walk(['a/b'], { maxEntries: 1 })).ends).toEqual(['complete']);
  });
});
