import { FakeExecutor } from '@gemini-mcp/core/testing';
import { describeExecutorContract } from '../src/executor/executor.contract.ts';
import { executorInMemory } from '../src/executor/executor-in-memory.ts';
import { executorChangesMutants } from './executor/executor-changes-mutants.ts';
import { executorCommandsMutants } from './executor/executor-commands-mutants.ts';
import { executorModifyingMutants } from './executor/executor-modifying-mutants.ts';
import { breakExecutor } from './executor/executor-mutant.ts';
import { executorOpeningMutants } from './executor/executor-opening-mutants.ts';
import { executorPuttingMutants } from './executor/executor-putting-mutants.ts';
import { executorReadingMutants } from './executor/executor-reading-mutants.ts';
import { executorUndoMutants } from './executor/executor-undo-mutants.ts';
import { executorUndoReportMutants } from './executor/executor-undo-report-mutants.ts';
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
