import { fileURLToPath } from 'node:url';

export type { AcpCallSteps, AcpProcessScript, AcpStep, FakeAcpScenario } from './fake-cli/acp-scenario.ts';
export {
  acpAnswer,
  acpEcho,
  acpFileRequest,
  acpLoginRequired,
  acpPermissionRequest,
  acpUnknownFlag,
} from './fake-cli/acp-scripts.ts';
export {
  cliAnswer,
  cliApiFailure,
  cliDailyQuota,
  cliEmptyResponse,
  cliEndlessText,
  cliFatalRun,
  cliInvalidAnswer,
  cliLoginPrompt,
  cliModelNotFound,
  cliOpening,
  cliOverloaded,
  cliRateLimited,
  cliStartFailure,
  type FatalRunCode,
  type StartFailureCode,
} from './fake-cli/cli-runs.ts';
export {
  type CreateFakeGeminiCliOptions,
  createFakeGeminiCli,
  fakeGeminiCliPath,
} from './fake-cli/create-fake-gemini-cli.ts';
export { EchoingCli } from './fake-cli/echoing-cli.ts';
export { type AcpPromptPlace, giveAcpSteps } from './fake-cli/give-acp-steps.ts';
export {
  type AcpPart,
  type AcpProcessRecord,
  type AcpPrompt,
  type AcpSessionRecord,
  type AcpText,
  readAcpProcesses,
  whenAcpRecorded,
} from './fake-cli/read-acp-processes.ts';
export {
  type CliInvocation,
  type CliStdin,
  readInvocations,
  readVersionQueries,
  type SpawnedChild,
} from './fake-cli/read-invocations.ts';
export type { CliStep, FakeCliScenario, OutputStream, ResultUsage, SecretForm } from './fake-cli/scenario.ts';
export { whenFileExists, whenInvoked } from './fake-cli/when-invoked.ts';
export { type CliWay, cliWays, takesAllWays } from './gemini-cli/cli-ways.ts';
export { GeminiCliClient } from './gemini-cli/gemini-cli-client.ts';
export { geminiCliUnderTest } from './gemini-cli/gemini-cli-under-test.ts';
export { copyGeminiCliWithoutPolicy } from './gemini-cli/gemini-cli-without-policy.ts';
export { exploreHostileProject, type HostileExploration } from './hostile/explore-hostile-project.ts';
export { HostileProject, type HostileProjectOptions } from './hostile/hostile-project.ts';
export { PlaceSwapper } from './hostile/place-swapper.ts';
export { type SwapCaller, type SwapCounts, SwapScene } from './hostile/swap-scene.ts';
export { makeSafeDirectory } from './make-safe-directory.ts';
export { type GitHubFault, type GitHubRequest, OfflineGitHub } from './offline-github/offline-github.ts';
export type { GitHubResponse, PullRequest, PullRequestFile, StoredComment } from './offline-github/pull-request.ts';
export {
  type OfflineParts,
  OfflinePlace,
  type RunnerUnderTest,
  runnersUnderTest,
  type ServerUnderTest,
} from './offline-place.ts';
export { type ChildWatch, watchChildren } from './processes/child-watch.ts';
export { limitProcess, limitWithFree } from './processes/limit-process.ts';
export { processesWith } from './processes/processes-with.ts';
export { type ProgramToRun, runTestProgram, type TestProgramEnd } from './processes/run-program.ts';
export { timeUntilGone } from './processes/time-until-gone.ts';
export { offeredName } from './servers/offered-name.ts';
export { PackedServer, type ProjectStart, projectStarts, type StartPlan } from './servers/packed-server.ts';
export { stubbornServer } from './servers/stubborn-server.ts';
export {
  elsewhereCertificate,
  expiredCertificate,
  type TestCertificate,
  trustedCertificate,
} from './test-certificates.ts';
export { ordinaryUser, type TestUser, testUsers } from './test-users.ts';

/**
 * A program for `node` that serves the offline API as a separate process: it prints one line of JSON, `{"url", "environment"}`, and lives
 * until its stdin ends or SIGTERM. Exists once this package is built.
 */
export const fakeGeminiApiProgram: string = fileURLToPath(new URL('../dist/main.js', import.meta.url));
export { realServer } from './servers/real-server.ts';
