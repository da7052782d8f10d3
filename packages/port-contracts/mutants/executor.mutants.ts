import { FakeExecutor } from '@gemini-mcp/core/testing';
import { describeExecutorContract } from '../src/executor/executor.contract.ts';
import { executorInMemory } from '../src/executor/executor-in-memory.ts';
import { executorChangesMutants } from './executor-changes-mutants.ts';
import { executorCommandsMutants } from './executor-commands-mutants.ts';
import { executorModifyingMutants } from './executor-modifying-mutants.ts';
import { breakExecutor } from './executor-mutant.ts';
import { executorOpeningMutants } from './executor-opening-mutants.ts';
import { executorPuttingMutants } from './executor-putting-mutants.ts';
import { executorReadingMutants } from './executor-reading-mutants.ts';
import { executorUndoMutants } from './executor-undo-mutants.ts';
import { executorUndoReportMutants } from './executor-undo-report-mutants.ts';
import { proveMutants } from './prove-mutants.ts';

const mutants = [
  ...executorReadingMutants,
  ...executorPuttingMutants,
  ...executorModifyingMutants,
  ...executorUndoMutants,
  ...executorUndoReportMutants,
  ...executorChangesMutants,
  ...executorOpeningMutants,
  ...executorCommandsMutants,
];

proveMutants(mutants, (about, mutant) => {
  describeExecutorContract({
    ...about,
    ...executorInMemory(
      (options) => new FakeExecutor(options),
      (right) => (mutant === null ? right : breakExecutor(right, mutant)),
    ),
  });
});
