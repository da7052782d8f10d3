import { afterEach, describe, expect, it } from 'vitest';
import {
  type ContextResolverHarness,
  type FileTree,
  leftOutEntry,
  type ResolveTree,
  selectionOf,
  sourceTree,
} from './context-resolver-harness.ts';
import { describeContextResolverLimits } from './context-resolver-limits.contract.ts';
import { describeContextResolverLines } from './context-resolver-lines.contract.ts';
import { describeContextResolverMedia } from './context-resolver-media.contract.ts';
import { describeContextResolverNames } from './context-resolver-names.contract.ts';
import { describeContextResolverOrder } from './context-resolver-order.contract.ts';
import { describeContextResolverPatterns } from './context-resolver-patterns.contract.ts';
import { describeContextResolverText } from './context-resolver-text.contract.ts';

export type ContextResolverContractOptions = {
  readonly name: string;
  /** Makes a working directory with these files: paths with `/` to contents. */
  readonly create: (tree: FileTree) => Promise<ContextResolverHarness>;
};

const never = new AbortController().signal;

/** What every `ContextResolver` owes. */
export function describeContextResolverContract({ name, create }: ContextResolverContractOptions): void {
  describe(`ContextResolver contract: ${name}`, () => {
    const harnesses: ContextResolverHarness[] = [];
    const resolve: ResolveTree = async (tree, fields, signal = never) => {
      const harness = await create(tree);
      harnesses.push(harness);
      return harness.resolver.resolve(selectionOf(fields), signal);
    };
    afterEach(async () => {
      await Promise.all(harnesses.splice(0).map((harness) => harness.dispose()));
    });

    describeContextResolverOrder(resolve);
    describeContextResolverLimits(resolve);
    describeContextResolverNames(resolve);
    describeContextResolverPatterns(resolve);
    describeContextResolverText(resolve);
    describeContextResolverLines(resolve);
    describeContextResolverMedia(resolve);

    describe('time', () => {
      it('at the deadline, what was named is left out as deadline', async () => {
        const { documents, leftOut } = await resolve(sourceTree, { files: ['b.ts', 'a.ts'], deadlineAtMs: 0 });
        expect(documents).toEqual([]);
        expect(leftOut).toEqual([leftOutEntry('a.ts', 'deadline', 'file'), leftOutEntry('b.ts', 'deadline', 'file')]);
      });

      it('rejects with the reason when the signal is already aborted', async () => {
        await expect(resolve(sourceTree, { files: ['a.ts'] }, AbortSignal.abort('the reason'))).rejects.toBe(
          'the reason',
        );
      });

      it('rejects with the reason when aborted on the way', async () => {
        const harness = await create(sourceTree);
        harnesses.push(harness);
        const controller = new AbortController();
        const resolved = harness.resolver.resolve(selectionOf({ directories: ['.'] }), controller.signal);
        controller.abort('the reason');
        await expect(resolved).rejects.toBe('the reason');
      });
    });
  });
}
