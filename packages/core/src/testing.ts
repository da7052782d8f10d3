/** Fakes of the ports, which pass the suites of `@gemini-mcp/port-contracts`, for tests of what is built on them. */
export { FakeClock } from './testing/fake-clock.ts';
export { InMemoryContextResolver, type InMemoryContextResolverOptions } from './testing/in-memory-context-resolver.ts';
export type { InMemoryFilesOptions } from './testing/in-memory-files.ts';
export {
  messageOnly,
  type ScriptedCount,
  ScriptedGeminiRunner,
  type ScriptedGeminiRunnerOptions,
  type ScriptedRun,
} from './testing/scripted-gemini-runner.ts';
