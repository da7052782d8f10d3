import type { Clock } from '@gemini-mcp/core';
import { describe, expect } from 'vitest';
import { abortReason } from '../abort-reason.ts';
import { listenersLeft } from '../listeners-left.ts';
import { type ContextResolverSubject, leftOutEntry, selectionOf, sourceTree } from './context-resolver-harness.ts';

const startMs = 1_700_000_000_000;

const manyFiles = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`d${index % 5}/f${index}`, 'x']));

/** Advances by a millisecond at each read, so that a test can act during the work. */
function restlessClock(onLook: (looks: number) => void = () => undefined): Clock {
  let looks = 0;
  return {
    now: () => {
      looks += 1;
      onLook(looks);
      return startMs + looks;
    },
    sleep: async () => undefined,
  };
}

/** Deadlines and aborts. */
export function describeContextResolverTime({ proof, open, resolve }: ContextResolverSubject): void {
  describe('deadline', () => {
    proof.promise('if it has passed at the start, each name is left out as deadline', async () => {
      const { documents, leftOut } = await resolve(sourceTree, { files: ['b.ts', 'a.ts'], deadlineAtMs: 0 });
      expect(documents).toEqual([]);
      expect(leftOut).toEqual([leftOutEntry('a.ts', 'deadline', 'file'), leftOutEntry('b.ts', 'deadline', 'file')]);
    });

    for (const looks of [1, 5, 10, 15]) {
      proof.promise(`if it passes at look ${looks} at the clock, the rest of 20 files is left out`, async () => {
        const { resolver } = await open({ tree: manyFiles, clock: restlessClock() });
        const selection = selectionOf({ files: Object.keys(manyFiles), deadlineAtMs: startMs + looks });
        const { documents, leftOut } = await resolver.resolve(selection, new AbortController().signal);
        expect(documents.length, 'documents that were read by then').toBeLessThanOrEqual(looks);
        expect(new Set(leftOut.map(({ reason }) => reason))).toEqual(new Set(['deadline']));
        const accounted = [...documents, ...leftOut].map(({ path }) => path);
        expect(accounted.toSorted()).toEqual(Object.keys(manyFiles).toSorted());
      });

      proof.promise(`if it passes at look ${looks}, a walk and a pattern report that they are incomplete`, async () => {
        const { resolver } = await open({ tree: manyFiles, clock: restlessClock() });
        const wanted = { globPatterns: ['*/f*'], directories: ['.'], deadlineAtMs: startMs + looks };
        const { documents, leftOut } = await resolver.resolve(selectionOf(wanted), new AbortController().signal);
        expect(new Set(leftOut.map(({ reason }) => reason))).toEqual(new Set(['deadline']));
        const accounted = new Set([...documents, ...leftOut].map(({ path }) => path));
        const isNamed = accounted.has('*/f*') || accounted.has('.');
        const missing = isNamed ? [] : Object.keys(manyFiles).filter((path) => !accounted.has(path));
        expect(missing, 'files without a report').toEqual([]);
      });
    }

    proof.promise('before it, all is read', async () => {
      const { documents } = await resolve(sourceTree, { files: ['a.ts'], deadlineAtMs: startMs + 1 });
      expect(documents).toHaveLength(1);
    });
  });

  describe('abort', () => {
    proof.promise('rejects with the reason when the signal is already aborted', async () => {
      const resolved = resolve(sourceTree, { files: ['a.ts'] }, AbortSignal.abort(abortReason));
      await expect(resolved).rejects.toBe(abortReason);
    });

    proof.promise('rejects with the reason when the signal is already aborted and nothing is named', async () => {
      await expect(resolve(sourceTree, {}, AbortSignal.abort(abortReason))).rejects.toBe(abortReason);
    });

    proof.promise('rejects with the reason when aborted during the work', async () => {
      const { resolver } = await open({ tree: sourceTree });
      const controller = new AbortController();
      const resolved = resolver.resolve(selectionOf({ directories: ['.'] }), controller.signal);
      controller.abort(abortReason);
      await expect(resolved).rejects.toBe(abortReason);
    });

    for (const look of [1, 5, 15]) {
      proof.promise(`rejects with the reason when aborted at look ${look} at the clock`, async () => {
        const controller = new AbortController();
        const clock = restlessClock((looks) => (looks === look ? controller.abort(abortReason) : undefined));
        const { resolver } = await open({ tree: manyFiles, clock });
        const resolved = resolver.resolve(selectionOf({ files: Object.keys(manyFiles) }), controller.signal);
        await expect(resolved).rejects.toBe(abortReason);
      });
    }

    proof.promise('leaves no listener on the signal', async () => {
      const { signal } = new AbortController();
      await resolve(sourceTree, { files: ['a.ts', 'none'], globPatterns: ['**'], directories: ['.'] }, signal);
      expect(listenersLeft(signal)).toBe(0);
    });
  });
}
