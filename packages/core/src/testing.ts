export { InMemorySessionStore } from './session/in-memory-session-store.ts';
export { FakeClock } from './testing/fake-clock.ts';
export { InMemoryContextResolver, type InMemoryContextResolverOptions } from './testing/in-memory-context-resolver.ts';
export {
  messageOnly,
  ScriptedGeminiRunner,
  type ScriptedGeminiRunnerOptions,
  type ScriptedRun,
} from './testing/scripted-gemini-runner.ts';
