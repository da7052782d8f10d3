export {
  type AnswerStoreBounds,
  type AnswerStoreContractOptions,
  type AnswerStoreHarness,
  describeAnswerStoreContract,
} from './answer-store.contract.ts';
export { type ClockContractOptions, type ClockHarness, describeClockContract } from './clock.contract.ts';
export { type ContextResolverContractOptions, describeContextResolverContract } from './context-resolver.contract.ts';
export type { ContextResolverHarness } from './context-resolver-harness.ts';
export { describeGeminiRunnerContract, type GeminiRunnerContractOptions } from './gemini-runner.contract.ts';
export type { CarriedContext, GeminiRunnerHarness, Situation } from './gemini-runner-harness.ts';
export { hostileText } from './hostile-text.ts';
export { createScriptedHarness, type ScriptedParts } from './scripted-harness.ts';
export {
  describeSessionStoreContract,
  type SessionStoreContractOptions,
  type SessionStoreRetention,
} from './session-store.contract.ts';
export type { SessionDamage, SessionStoreHarness } from './session-store-harness.ts';
export {
  describeSessionStoreKillContract,
  type SessionStoreKillContractOptions,
  type SessionStoreKillHarness,
  type SessionWriter,
} from './session-store-kills.contract.ts';
