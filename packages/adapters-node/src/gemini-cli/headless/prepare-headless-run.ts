import type { Lending } from '@gemini-mcp/core';
import { keepFromChildrenPiece } from '../../inside-the-cli/keep-from-children.ts';
import { buildPreload, preloadPiece, preloadVariables, withPreload } from '../../inside-the-cli/preload.ts';
import { reportModelCallsPiece } from '../../inside-the-cli/report-model-calls.ts';
import { writeWholeOutput } from '../../inside-the-cli/write-whole-output.ts';
import type { CarrierOptions, CliRun } from '../carrier.ts';
import { buildChildEnvironment, withOwnKey } from '../environment/child-environment.ts';
import { detectAuthType } from '../environment/cli-login.ts';
import { createRunRedactor } from '../environment/create-run-redactor.ts';
import { addUserEnvironment } from '../environment/user-environment.ts';
import { loopbackVariables } from '../lending/lent-server.ts';
import { frameInput } from '../message/literal-channel.ts';
import type { RunDirectory } from '../run-directory/run-directory.ts';
import { runtimeVariables } from '../settings/sandbox.ts';
import type { HeadlessRunOptions } from './run-headless.ts';
import { planRun } from './run-plan.ts';

/** A run with what it lends; null for nothing. */
export type LentCliRun = CliRun & { readonly lending: Lending | null };

type PrepareOptions = Pick<CarrierOptions, 'environment' | 'userDirectory' | 'allowsGoogleLogs'> & {
  readonly run: LentCliRun;
  readonly directory: RunDirectory;
};

const preload = buildPreload([
  keepFromChildrenPiece(),
  preloadPiece(writeWholeOutput, {}),
  reportModelCallsPiece('stream-json'),
]);

/** Writes into the directory of a run what the CLI is to find there, and says how it is started. Rejects where that cannot be done. */
export async function prepareHeadlessRun(options: PrepareOptions): Promise<HeadlessRunOptions> {
  const { run, directory, allowsGoogleLogs } = options;
  const { request, settings, cli, programs, place, lending } = run;
  const { apiKey, sandbox } = settings;
  const environment = withOwnKey(await addUserEnvironment(options), apiKey);
  const authType = apiKey === null ? await detectAuthType({ ...options, environment }) : ('gemini-api-key' as const);
  const plan = planRun(request, settings, { directory, place, authType, allowsGoogleLogs, lending });
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
  await directory.write([...plan.files, preload]);
  const { file, arguments: words } = withPreload(cli.command, directory.root);
  return {
    command: { file, arguments: [...words, ...plan.arguments] },
    directory,
    environment: childEnvironment,
    cwd: plan.cwd,
    isGiven: place.kind === 'trusted',
    input: frameInput(request.input),
    lending,
    endsByItself: sandbox,
    redact: createRunRedactor({ ...options, root: directory.root, environment }),
  };
}
