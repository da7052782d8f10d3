export type { CliOutcome } from './cli-reading/cli-outcome.ts';
export { SystemClock, type SystemClockOptions } from './clock/system-clock.ts';
export { createGemini } from './embedding/create-gemini.ts';
export type { Gemini } from './embedding/gemini.ts';
export type { ChatReplyOptions, GeminiChat } from './embedding/gemini-chat.ts';
export type {
  AskOptions,
  CallOptions,
  ChatOptions,
  ContextOptions,
  GeminiOptions,
  RunOptions,
  SearchOptions,
} from './embedding/gemini-options.ts';
export type {
  ChatReplyResult,
  ContextResult,
  GeminiAnswer,
  GeminiNoAnswer,
  GeminiResult,
  StreamPiece,
  WebSearchResult,
} from './embedding/gemini-result.ts';
export { type CompletePath, createPathCompleter, type PathCompleterOptions } from './files/complete-path.ts';
export { FileContextResolver, type FileContextResolverOptions } from './files/file-context-resolver.ts';
export { CliGeminiRunner, type CliGeminiRunnerOptions } from './gemini-cli/cli-gemini-runner.ts';
export { detectAuthType } from './gemini-cli/cli-login.ts';
export type { AuthType } from './gemini-cli/cli-settings.ts';
export { GeminiCliFinder, type GeminiCliFinderOptions } from './gemini-cli/gemini-cli-finder.ts';
export type { GeminiCli, GeminiCliLocation } from './gemini-cli/gemini-cli-location.ts';
export { locateGeminiCli } from './gemini-cli/locate-gemini-cli.ts';
export type { RunReport } from './gemini-cli/run-report.ts';
export { RunSweeper, type RunSweeperOptions } from './gemini-cli/run-sweeper.ts';
export { addUserEnvironment } from './gemini-cli/user-environment.ts';
export { ensurePrivateDirectory } from './process/private-directory.ts';
export { describePathFault } from './programs/describe-path-fault.ts';
export { findSystemProgram } from './programs/find-system-program.ts';
export type { PathFault } from './programs/path-fault.ts';
export { type PassedOver, ProgramPath } from './programs/program-path.ts';
export { FileAnswerStore, type FileAnswerStoreOptions } from './state/file-answer-store.ts';
export { FileSessionStore, type FileSessionStoreOptions } from './state/file-session-store.ts';
export type { Quarantined } from './state/quarantine.ts';
export type { PoolEndReason, PoolReport } from './warm/pool-report.ts';
export { WarmGeminiRunner, type WarmGeminiRunnerOptions, type WarmUpRequest } from './warm/warm-gemini-runner.ts';
export type { WarmLimits } from './warm/warm-limits.ts';
