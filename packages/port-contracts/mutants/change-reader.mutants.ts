import { FakeChangeReader } from '@gemini-mcp/core/testing';
import { describeChangeReaderContract } from '../src/change-reader/change-reader.contract.ts';
import { fileMutants } from './change-reader/change-file-mutants.ts';
import { reachMutants } from './change-reader/change-reach-mutants.ts';
import { proveMutants } from './prove-mutants.ts';

proveMutants([...fileMutants, ...reachMutants], (about, mutant) => {
  describeChangeReaderContract({
    ...about,
    create: async (before, after) => {
      const right = new FakeChangeReader({ before, after });
      return {
        reader: mutant?.change(right) ?? right,
        directory: '/project',
        outside: '/other',
        countLeft: async () => right.open,
        close: async () => undefined,
      };
    },
  });
});
