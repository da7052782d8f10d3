import type { ChangeReader, ChangeRequest, ChangeSelection, OpenedChange } from '@gemini-mcp/core';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { listenersLeft } from '../listeners-left.ts';
import { Proof } from '../proof.ts';

/** Texts of files by path, below the directory of a harness. */
export type FilesOfChange = Readonly<Record<string, string>>;

export type ChangeReaderHarness = {
  readonly reader: ChangeReader;
  /** Absolute: holds the change, and is a root. */
  readonly directory: string;
  /** Absolute: exists outside the roots. */
  readonly outside: string;
  /** How many things that readings hold are left, such as directories. */
  readonly countLeft: () => Promise<number>;
  readonly close: () => Promise<void>;
};

export type ChangeReaderContractOptions = {
  readonly name: string;
  /** Makes a place where the files were those of `before` at the last commit, and are those of `after` now. */
  readonly create: (before: FilesOfChange, after: FilesOfChange) => Promise<ChangeReaderHarness>;
  /** As in `ProofOptions`. */
  readonly deadlineMs?: number;
};

const unchanged = { 'lib/kept.ts': "import { one } from '../src/one.ts';\n", 'src/plain.md': 'No code.\n' };
const before = { ...unchanged, 'src/one.ts': 'a\nb\nc\n', 'src/gone.ts': 'was\n', 'src/.env': 'TOKEN=1\n' };
const after = { ...unchanged, 'src/one.ts': 'a\nB\nc\n', 'src/new file.ts': 'new\n', 'src/.env': 'TOKEN=2\n' };

const patch = '--- a/src/one.ts\n+++ b/src/one.ts\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n';

/** The promises of every `ChangeReader`. */
export function describeChangeReaderContract({ name, create, deadlineMs }: ChangeReaderContractOptions): void {
  describe(`ChangeReader contract: ${name}`, () => {
    const proof = new Proof({ subject: `ChangeReader ${JSON.stringify(name)}`, deadlineMs });
    let abort: AbortController;
    let harness: ChangeReaderHarness | null;

    beforeEach(() => {
      abort = new AbortController();
      harness = null;
    });
    afterEach(async () => {
      await harness?.close();
    });

    const open = async (old: FilesOfChange = before, now: FilesOfChange = after): Promise<ChangeReaderHarness> => {
      const opened = await create(old, now);
      harness = { ...opened, reader: proof.watch(opened.reader) };
      return harness;
    };
    const requestFor = ({ directory }: ChangeReaderHarness, more: Partial<ChangeRequest> = {}): ChangeRequest => ({
      selection: { type: 'working' },
      directory,
      roots: [directory],
      deadlineAtMs: Number.MAX_SAFE_INTEGER,
      ...more,
    });
    const read = async (selection: ChangeSelection = { type: 'working' }): Promise<OpenedChange> => {
      const opened = await open();
      const result = await opened.reader.read(requestFor(opened, { selection }), abort.signal);
      if (!result.ok) {
        throw new Error(result.problem);
      }
      return result.change;
    };

    proof.promise('each changed file is told once, sorted, with its whole text and its diff', async () => {
      const change = await read();
      expect(change.files.map(({ path, status, text }) => ({ path, status, text }))).toEqual([
        { path: 'src/gone.ts', status: 'deleted', text: null },
        { path: 'src/new file.ts', status: 'added', text: 'new\n' },
        { path: 'src/one.ts', status: 'modified', text: 'a\nB\nc\n' },
      ]);
      expect(change.files.map((file) => file.patch.split('\n').filter((line) => /^[-+][^-+]/.test(line)))).toEqual([
        ['-was'],
        ['+new'],
        ['-b', '+B'],
      ]);
      await change.close();
    });

    proof.promise('a file that looks like a secret is told, and not read', async () => {
      const change = await read();
      expect(change.unread).toEqual([{ path: 'src/.env', reason: 'sensitive' }]);
      expect(await change.readTexts(['src/.env', 'src/plain.md'], abort.signal)).toEqual(
        new Map([['src/plain.md', 'No code.\n']]),
      );
      await change.close();
    });

    proof.promise('nothing changed is a change without files', async () => {
      const opened = await open(before, before);
      const result = await opened.reader.read(requestFor(opened), abort.signal);
      expect(result).toMatchObject({ ok: true, change: { files: [], unread: [] } });
      await (result.ok ? result.change.close() : undefined);
    });

    proof.promise('the files around the change are found by their words', async () => {
      const change = await read();
      expect(await change.listPaths(abort.signal)).toEqual(expect.arrayContaining(['lib/kept.ts', 'src/one.ts']));
      const search = { texts: ['src/one'], endings: ['.ts'] };
      expect(await change.findMentions(search, abort.signal)).toEqual(['lib/kept.ts']);
      expect(await change.findMentions({ texts: ['No code'], endings: ['.ts'] }, abort.signal)).toEqual([]);
      await change.close();
    });

    proof.promise('a search for words that cannot end is null, not empty', async () => {
      const change = await read();
      abort.abort();
      expect(await change.findMentions({ texts: ['src/one'], endings: ['.ts'] }, abort.signal)).toBeNull();
      await change.close();
    });

    proof.promise('a patch is a change of the files that it fits', async () => {
      const change = await read({ type: 'patch', text: patch });
      expect(change.files).toMatchObject([{ path: 'src/one.ts', status: 'modified', text: 'a\nB\nc\n' }]);
      await change.close();
    });

    proof.promise('a patch does not lead out of the directory', async () => {
      const change = await read({ type: 'patch', text: patch.replaceAll('src/one.ts', '../one.ts') });
      expect(change).toMatchObject({ files: [], unread: [{ path: '../one.ts', reason: 'outside-roots' }] });
      await change.close();
    });

    proof.promise('a patch that was cut is a problem', async () => {
      const opened = await open();
      const selection = { type: 'patch', text: patch.slice(0, -4) } as const;
      expect(await opened.reader.read(requestFor(opened, { selection }), abort.signal)).toMatchObject({ ok: false });
    });

    proof.promise('a directory outside the roots is a problem that names it', async () => {
      const opened = await open();
      const request = { ...requestFor(opened), directory: opened.outside };
      expect(await opened.reader.read(request, abort.signal)).toEqual({
        ok: false,
        problem: expect.stringContaining(opened.outside),
      });
    });

    proof.promise('a closed change leaves nothing, however often it is closed', async () => {
      const change = await read();
      await change.close();
      await change.close();
      expect(await harness?.countLeft()).toBe(0);
    });

    proof.promise('an aborted signal rejects with its reason and leaves nothing', async () => {
      const opened = await open();
      const reason = new Error('The reader has gone.');
      abort.abort(reason);
      await expect(opened.reader.read(requestFor(opened), abort.signal)).rejects.toBe(reason);
      expect(await opened.countLeft()).toBe(0);
    });

    proof.promise('a reading leaves no listener on the signal', async () => {
      const change = await read();
      await change.close();
      expect(listenersLeft(abort.signal)).toBe(0);
    });
  });
}
