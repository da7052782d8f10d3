import { describe } from 'vitest';
import { describeChangeGuards } from './executor-change-guards.contract.ts';
import type { ExecutorSubject } from './executor-harness.ts';
import { describeModifying } from './executor-modifying.contract.ts';
import { describePutting } from './executor-putting.contract.ts';
import { describeReading } from './executor-reading.contract.ts';
import { describeRunBounds } from './executor-run-bounds.contract.ts';
import { describeSearching } from './executor-searching.contract.ts';

/** The promises of a workspace that reads and changes files. */
export function describeExecutorFiles(subject: ExecutorSubject): void {
  describe('files', () => {
    describeReading(subject);
    describeSearching(subject);
    describePutting(subject);
    describeModifying(subject);
    describeChangeGuards(subject);
    describeRunBounds(subject);
  });
}
