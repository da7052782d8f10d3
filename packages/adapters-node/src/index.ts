/** For programs on Node: files, the Gemini CLI, stores and the clock, each of them an adapter of a port of the core. */

export type { Quarantined } from './disk/durable/quarantine.ts';
export type { PinnedPaths } from './disk/pin-paths.ts';
export { RunSweeper, type RunSweeperOptions } from './disk/run-directory/run-sweeper.ts';
export { type CompletePath, createPathCompleter, type PathCompleterOptions } from './files/complete-path.ts';
export { FileContextResolver, type FileContextResolverOptions } from './files/file-context-resolver.ts';
export { createKeyedBoundary } from './files/keyed-boundary.ts';
export { cliFailureWords } from './gemini-cli/cli-failure-words.ts';
export { CliGeminiRunner, type CliGeminiRunnerOptions } from './gemini-cli/cli-gemini-runner.ts';
export type { CliTransportOptions, RunReport } from './gemini-cli/cli-transport.ts';
export { GeminiCliFinder, type GeminiCliFinderOptions } from './gemini-cli/finding/gemini-cli-finder.ts';
export type { GeminiCli, GeminiCliLocation } from './gemini-cli/finding/locate-gemini-cli.ts';
export type { CliOutcome } from './gemini-cli/reading/cli-outcome.ts';
export type { PoolEndReason, PoolReport } from './gemini-cli/warm/pool/pool-report.ts';
export {
  WarmGeminiRunner,
  type WarmGeminiRunnerOptions,
  type WarmUpRequest,
} from './gemini-cli/warm/warm-gemini-runner.ts';
export type { WarmLimits } from './gemini-cli/warm/warm-limits.ts';
export type { Command } from './processes/contained-command.ts';
export type { Environment } from './processes/programs/child-environment.ts';
export type { PathFault } from './processes/programs/path-fault.ts';
export type { PassedOver, ProgramPath, ProgramSearch } from './processes/programs/program-path.ts';
export { SystemClock, type SystemClockOptions } from './processes/system-clock.ts';
export { FileAuditLog, type FileAuditLogOptions } from './storage/file-audit-log.ts';
export { FileRecordStore, type FileRecordStoreOptions } from './storage/file-record-store.ts';
export { FileUsageLedger, type FileUsageLedgerOptions } from './storage/file-usage-ledger.ts';
export { GitChangeReader, type GitChangeReaderOptions } from './workspace/changes/git-change-reader.ts';
export { NodeExecutor, type NodeExecutorOptions } from './workspace/node-executor.ts';
