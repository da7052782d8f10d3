import type { Lending } from '@gemini-mcp/core';
import { keepFromChildrenPiece } from '../../inside-the-cli/keep-from-children.ts';
import {
  buildPreload,
  type PreloadPiece,
  preloadPiece,
  preloadVariables,
  withPreload,
} from '../../inside-the-cli/preload.ts';
import { reportModelCallsPiece } from '../../inside-the-cli/report-model-calls.ts';
import { writeWholeOutput } from '../../inside-the-cli/write-whole-output.ts';
import type { CarrierOptions, CliRun } from '../carrier.ts';
import { buildChildEnvironment, type Environment, withOwnKey } from '../environment/child-environment.ts';
import { detectAuthType } from '../environment/cli-login.ts';
import { createRunRedactor } from '../environment/create-run-redactor.ts';
import { addUserEnvironment } from '../environment/user-environment.ts';
import { loopbackVariables } from '../lending/lent-server.ts';
import { frameInput } from '../message/literal-channel.ts';
import type { RunDirectory } from '../run-directory/run-directory.ts';
import type { AuthType } from '../settings/cli-settings.ts';
import { boundReadingTools } from '../settings/run-confinement.ts';
import { runtimeVariables } from '../settings/sandbox.ts';
import type { HeadlessRunOptions } from './run-headless.ts';
import { planRun } from './run-plan.ts';

/** A run with what it lends; null for nothing. */
export type LentCliRun = CliRun & { readonly lending: Lending | null };

type PrepareOptions = Pick<CarrierOptions, 'environment' | 'userDirectory' | 'allowsGoogleLogs'> & {
  readonly run: LentCliRun;
  readonly directory: RunDirectory;
};

const alwaysPreloaded = [
  keepFromChildrenPiece(),
  preloadPiece(writeWholeOutput, {}),
  reportModelCallsPiece('stream-json'),
];

/** Writes into the directory of a run what the CLI is to find there, and says how it is started. Rejects where that cannot be done. */
export async function prepareHeadlessRun(options: PrepareOptions): Promise<HeadlessRunOptions> {
  const { run, directory, allowsGoogleLogs } = options;
  const { request, settings, cli, programs, view, lending } = run;
  const { apiKey, sandbox } = settings;
  const environment = withOwnKey(await addUserEnvironment(options), apiKey);
  const authType = apiKey === null ? await detectAuthType({ ...options, environment }) : ('gemini-api-key' as const);
  const plan = planRun(request, settings, { directory, view, authType, allowsGoogleLogs, lending });
  const childEnvironment = buildChildEnvironment({
    environment,
    path: await programs.forChildren(),
    homeDirectory: directory.home,
    temporaryDirectory: directory.temporary,
    variables: {
      ...(sandbox ? runtimeVariables(environment) : preloadVariables(cli.command, directory.root)),
      ...(lending !== null && loopbackVariables(environment)),
      ...plan.variables,
    },
  });
  const bounds = boundTools(options, childEnvironment, authType);
  await directory.write([...plan.files, buildPreload([...alwaysPreloaded, ...bounds])]);
  const { file, arguments: words } = withPreload(cli.command, directory.root);
  return {
    command: { file, arguments: [...words, ...plan.arguments] },
    directory,
    environment: childEnvironment,
    cwd: plan.cwd,
    isGiven: view.kind === 'trusted',
    input: frameInput(request.input),
    lending,
    endsByItself: sandbox,
    redact: createRunRedactor({ ...options, root: directory.root, environment }),
  };
}

/** In a container the tools see what it is shown, and the process out here has none. */
function boundTools(
  { run, directory, userDirectory }: PrepareOptions,
  environment: Environment,
  authType: AuthType,
): readonly PreloadPiece[] {
  const { settings, view, allowed } = run;
  const { tools, sandbox, apiKey } = settings;
  if (tools !== 'read-only' || view.kind === 'none' || sandbox) {
    return [];
  }
  return boundReadingTools({
    directory,
    isTrusted: view.kind === 'trusted',
    privateDirectories: allowed.privateDirectories,
    loginDirectory: apiKey === null ? userDirectory : null,
    authType,
    environment,
  });
}
