export { type AnswerStoreContractOptions, describeAnswerStoreContract } from './answer-store/answer-store.contract.ts';
export type { AnswerStoreBounds, AnswerStoreHarness } from './answer-store/answer-store-harness.ts';
export { type ApproverContractOptions, describeApproverContract } from './approver/approver.contract.ts';
export type { ApproverHarness, ApproverPlace, UserReply } from './approver/approver-harness.ts';
export {
  type ChangeReaderContractOptions,
  type ChangeReaderHarness,
  describeChangeReaderContract,
  type FilesOfChange,
} from './change-reader/change-reader.contract.ts';
export {
  type ClockContractOptions,
  type ClockFeatures,
  type ClockHarness,
  describeClockContract,
} from './clock/clock.contract.ts';
export { LeapingClock } from './clock/leaping-clock.ts';
export {
  type ContextResolverContractOptions,
  describeContextResolverContract,
} from './context-resolver/context-resolver.contract.ts';
export type {
  ContextPlace,
  ContextResolverFeatures,
  ContextResolverHarness,
  FileTree,
} from './context-resolver/context-resolver-harness.ts';
export { type ResolverPlace, resolverInTemporaryDirectory } from './context-resolver/resolver-in-directory.ts';
export { Counter } from './counter.ts';
export { describeExecutorContract, type ExecutorContractOptions } from './executor/executor.contract.ts';
export type { ExecutorFeatures, ExecutorHarness, ExecutorPlace, PlaceFiles } from './executor/executor-harness.ts';
export { type ExecutorDirectory, executorInTemporaryDirectory } from './executor/executor-in-directory.ts';
export {
  describeGeminiRunnerContract,
  type GeminiRunnerContractOptions,
} from './gemini-runner/gemini-runner.contract.ts';
export type {
  CarriedContext,
  CountingHooks,
  CountSituation,
  FoundBySearch,
  GeminiRunnerHarness,
  ModelCall,
  Situation,
  ToolSessionHooks,
} from './gemini-runner/gemini-runner-harness.ts';
export type { GeminiRunnerHooksOptions } from './gemini-runner/gemini-runner-hooks.contract.ts';
export type { GeminiRunnerLiteralOptions } from './gemini-runner/gemini-runner-literal.contract.ts';
export { hostileText } from './hostile-text.ts';
export {
  type CatalogSituation,
  describeModelCatalogContract,
  type ModelCatalogContractOptions,
  type ModelCatalogHarness,
} from './model-catalog.contract.ts';
export { describeRecordStoreContract, type RecordStoreContractOptions } from './record-store/record-store.contract.ts';
export type { CreateRecordStore, RecordStoreHarness } from './record-store/record-store-harness.ts';
export { functionAnswersIn, turnsUpToMessage } from './runner-places/function-answers.ts';
export { type RunnerPlace, runnerOverOfflineApi } from './runner-places/runner-over-offline-api.ts';
export { createScriptedHarness, type ScriptedParts } from './runner-places/scripted-harness.ts';
export { countReply, situationReply } from './runner-places/situation-reply.ts';
export { runningTimers } from './running-timers.ts';
export {
  describeSessionStoreContract,
  type SessionStoreContractOptions,
} from './session-store/session-store.contract.ts';
export type {
  SessionStoreFeatures,
  SessionStoreHarness,
  SessionStorePlace,
} from './session-store/session-store-harness.ts';
export { type SessionDatabaseOptions, sessionStoreInDatabase } from './session-store/session-store-in-database.ts';
export {
  describeSessionStoreKillContract,
  type SessionStoreKillContractOptions,
  type SessionStoreKillHarness,
  type SessionWriter,
} from './session-store/session-store-kills.contract.ts';
export type { RecordDamage, StoreFeatures } from './stores/store-features.ts';
export {
  answerStoreInTemporaryDirectory,
  type RecordFilesOptions,
  recordStoreInTemporaryDirectory,
  sessionStoreInTemporaryDirectory,
} from './stores/stores-in-directory.ts';
export {
  describeLoopbackToolServerContract,
  type LoopbackToolServerContractOptions,
} from './tools/loopback-tool-server.contract.ts';
export { PlainLoopbackToolServer } from './tools/plain-loopback-tool-server.ts';
export {
  describeToolProviderContract,
  type ToolProviderContractOptions,
  type ToolProviderHarness,
} from './tools/tool-provider.contract.ts';
export {
  describeUsageLedgerContract,
  type UsageLedgerContractOptions,
  type UsageLedgerHarness,
} from './usage-ledger/usage-ledger.contract.ts';
