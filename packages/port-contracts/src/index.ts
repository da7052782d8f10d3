export {
  type AnswerStoreBounds,
  type AnswerStoreContractOptions,
  type AnswerStoreHarness,
  describeAnswerStoreContract,
} from './answer-store.contract.ts';
export { type ClockContractOptions, type ClockHarness, describeClockContract } from './clock.contract.ts';
export {
  type ContextResolverContractOptions,
  type ContextResolverHarness,
  describeContextResolverContract,
} from './context-resolver.contract.ts';
export {
  describeGeminiRunnerContract,
  type GeminiRunnerContractOptions,
  type GeminiRunnerHarness,
  hostileText,
  type Situation,
} from './gemini-runner.contract.ts';
export type { CarriedContext } from './gemini-runner-features.contract.ts';
export {
  describeSessionStoreContract,
  type SessionStoreContractOptions,
  type SessionStoreHarness,
  type SessionStoreRetention,
} from './session-store.contract.ts';
