export { SystemClock } from './clock/system-clock.ts';
export { type CompletePath, createPathCompleter, type PathCompleterOptions } from './files/complete-path.ts';
export { FileContextResolver, type FileContextResolverOptions } from './files/file-context-resolver.ts';
export { CliGeminiRunner, type CliGeminiRunnerOptions } from './gemini-cli/cli-gemini-runner.ts';
export type { GeminiCli, GeminiCliLocation } from './gemini-cli/gemini-cli-location.ts';
export { locateGeminiCli } from './gemini-cli/locate-gemini-cli.ts';
export { sweepRuns } from './gemini-cli/sweep-runs.ts';
export { ensurePrivateDirectory } from './process/private-directory.ts';
