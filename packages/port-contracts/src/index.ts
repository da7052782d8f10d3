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
export {
  describeSessionStoreContract,
  type SessionStoreContractOptions,
  type SessionStoreHarness,
} from './session-store.contract.ts';
