export { type AnswerStoreContractOptions, describeAnswerStoreContract } from './answer-store.contract.ts';
export type { AnswerStoreBounds, AnswerStoreHarness } from './answer-store-harness.ts';
export { type ApproverContractOptions, describeApproverContract } from './approver.contract.ts';
export type { ApproverHarness, ApproverPlace, UserReply } from './approver-harness.ts';
export {
  type ClockContractOptions,
  type ClockFeatures,
  type ClockHarness,
  describeClockContract,
} from './clock.contract.ts';
export { type ContextResolverContractOptions, describeContextResolverContract } from './context-resolver.contract.ts';
export type {
  ContextPlace,
  ContextResolverFeatures,
  ContextResolverHarness,
  FileTree,
} from './context-resolver-harness.ts';
export { Counter } from './counter.ts';
export { describeExecutorContract, type ExecutorContractOptions } from './executor.contract.ts';
export type { ExecutorFeatures, ExecutorHarness, ExecutorPlace, PlaceFiles } from './executor-harness.ts';
export { type ExecutorDirectory, executorInTemporaryDirectory } from './executor-in-directory.ts';
export { functionAnswersIn, turnsUpToMessage } from './function-answers.ts';
export { describeGeminiRunnerContract, type GeminiRunnerContractOptions } from './gemini-runner.contract.ts';
export type {
  CarriedContext,
  CountingHooks,
  CountSituation,
  FoundBySearch,
  GeminiRunnerHarness,
  LendingHooks,
  ModelCall,
  Situation,
} from './gemini-runner-harness.ts';
export type { GeminiRunnerHooksOptions } from './gemini-runner-hooks.contract.ts';
export type { GeminiRunnerLiteralOptions } from './gemini-runner-literal.contract.ts';
export { hostileText } from './hostile-text.ts';
export { LeapingClock } from './leaping-clock.ts';
export {
  type CatalogSituation,
  describeModelCatalogContract,
  type ModelCatalogContractOptions,
  type ModelCatalogHarness,
} from './model-catalog.contract.ts';
export { PlainToolEndpoint } from './plain-tool-endpoint.ts';
export { describeRecordStoreContract, type RecordStoreContractOptions } from './record-store.contract.ts';
export type { CreateRecordStore, RecordStoreHarness } from './record-store-harness.ts';
export { type ResolverPlace, resolverInTemporaryDirectory } from './resolver-in-directory.ts';
export { type RunnerPlace, runnerOverOfflineApi } from './runner-over-offline-api.ts';
export { runningTimers } from './running-timers.ts';
export { createScriptedHarness, type ScriptedParts } from './scripted-harness.ts';
export { describeSessionStoreContract, type SessionStoreContractOptions } from './session-store.contract.ts';
export type {
  SessionStoreFeatures,
  SessionStoreHarness,
  SessionStorePlace,
} from './session-store-harness.ts';
export { type SessionDatabaseOptions, sessionStoreInDatabase } from './session-store-in-database.ts';
export {
  describeSessionStoreKillContract,
  type SessionStoreKillContractOptions,
  type SessionStoreKillHarness,
  type SessionWriter,
} from './session-store-kills.contract.ts';
export { countReply, situationReply } from './situation-reply.ts';
export type { RecordDamage, StoreFeatures } from './store-features.ts';
export {
  answerStoreInTemporaryDirectory,
  type RecordFilesOptions,
  recordStoreInTemporaryDirectory,
  sessionStoreInTemporaryDirectory,
} from './stores-in-directory.ts';
export { describeToolEndpointContract, type ToolEndpointContractOptions } from './tool-endpoint.contract.ts';
export {
  describeToolSourceContract,
  type ToolSourceContractOptions,
  type ToolSourceHarness,
} from './tool-source.contract.ts';
