import { FakeExecutor } from '@gemini-mcp/core/testing';
import { describeExecutorContract } from './executor.contract.ts';
import { executorInMemory } from './executor-in-memory.ts';

describeExecutorContract({
  name: 'FakeExecutor',
  ...executorInMemory((options) => new FakeExecutor(options)),
});
