/** For programs on Node: files, the Gemini CLI, stores and the clock, each of them an adapter of a port of the core. */
export { createKeyedBoundary } from './boundary/keyed-boundary.ts';
export { SystemClock, type SystemClockOptions } from './clock/system-clock.ts';
export { NodeExecutor, type NodeExecutorOptions } from './executor/node-executor.ts';
export { type CompletePath, createPathCompleter, type PathCompleterOptions } from './files/complete-path.ts';
export { FileContextResolver, type FileContextResolverOptions } from './files/file-context-resolver.ts';
export type { PinnedPaths } from './files/pin-paths.ts';
export type { CarrierOptions, RunReport } from './gemini-cli/carrier.ts';
export { cliFailureWords } from './gemini-cli/cli-failure-words.ts';
export { CliGeminiRunner, type CliGeminiRunnerOptions } from './gemini-cli/cli-gemini-runner.ts';
export type { Environment } from './gemini-cli/environment/child-environment.ts';
export { GeminiCliFinder, type GeminiCliFinderOptions } from './gemini-cli/finding/gemini-cli-finder.ts';
export type { GeminiCli, GeminiCliLocation } from './gemini-cli/finding/locate-gemini-cli.ts';
export type { CliOutcome } from './gemini-cli/reading/cli-outcome.ts';
export { RunSweeper, type RunSweeperOptions } from './gemini-cli/run-directory/run-sweeper.ts';
export type { PoolEndReason, PoolReport } from './gemini-cli/warm/pool/pool-report.ts';
export {
  WarmGeminiRunner,
  type WarmGeminiRunnerOptions,
  type WarmUpRequest,
} from './gemini-cli/warm/warm-gemini-runner.ts';
export type { WarmLimits } from './gemini-cli/warm/warm-limits.ts';
export type { Command } from './process/contained-command.ts';
export type { PathFault } from './programs/path-fault.ts';
export type { PassedOver, ProgramPath, ProgramSearch } from './programs/program-path.ts';
export { FileRecordStore, type FileRecordStoreOptions } from './state/file-record-store.ts';
export type { Quarantined } from './state/quarantine.ts';
