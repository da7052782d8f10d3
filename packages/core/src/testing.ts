/** Fakes of the ports that pass the suites of `@gemini-mcp/port-contracts`, for tests of programs built on the ports. */

export { FakeChangeReader, type FakeChangeReaderOptions } from './testing/fake-change-reader.ts';
export { FakeClock } from './testing/fake-clock.ts';
export type { ScriptedCommand } from './testing/fake-commands.ts';
export { FakeExecutor, type FakeExecutorOptions } from './testing/fake-executor.ts';
export type { FakeFiles, FakeFilesOptions } from './testing/fake-files.ts';
export { InMemoryContextResolver, type InMemoryContextResolverOptions } from './testing/in-memory-context-resolver.ts';
export type { InMemoryFilesOptions } from './testing/in-memory-files.ts';
export { approvalsInMemory } from './testing/records-in-memory.ts';
export { ScriptedApprover, type ScriptedApproverOptions } from './testing/scripted-approver.ts';
export {
  messageOnly,
  ScriptedGeminiRunner,
  type ScriptedGeminiRunnerOptions,
} from './testing/scripted-gemini-runner.ts';
export { ScriptedModelCatalog } from './testing/scripted-model-catalog.ts';
export type { ScriptedCount, ScriptedRun } from './testing/scripted-run.ts';
export { ScriptedToolProvider, type ScriptedToolProviderOptions } from './testing/scripted-tool-provider.ts';
export type { ScriptedToolSession } from './testing/scripted-tool-session.ts';
