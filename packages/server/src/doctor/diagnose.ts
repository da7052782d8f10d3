import { defaultModelChain } from '@gemini-mcp/core';
import type { Program } from '../program/program.ts';
import type { Configuration } from '../settings/configuration.ts';
import type { Check } from './check.ts';
import { checkCall } from './check-call.ts';
import { checkCli } from './check-cli.ts';
import { checkDirectories } from './check-directories.ts';
import { checkLogin } from './check-login.ts';
import { checkModels } from './check-models.ts';
import { checkNode } from './check-node.ts';
import { checkSandbox } from './check-sandbox.ts';
import { checkState } from './check-state.ts';
import { checkWarm, warmUnused } from './check-warm.ts';
import type { DoctorProbes } from './doctor-probes.ts';

export type DiagnoseOptions = {
  readonly program: Pick<Program, 'nodeAdvice'>;
  readonly configuration: Configuration;
  readonly probes: DoctorProbes;
  /** Whether to make a call, which costs what a call costs. */
  readonly call: boolean;
};

/** Checks everything that a call needs, in the order in which a call needs it. Skips a start or a call that could not succeed. */
export async function diagnose(options: DiagnoseOptions, signal: AbortSignal): Promise<readonly Check[]> {
  const { program, configuration, probes, call } = options;
  const needed = [
    checkNode(probes.nodeVersion, program),
    ...checkCli(await probes.locateCli(signal)),
    checkLogin(await probes.readLogin()),
    await checkState(configuration.stateDirectory, probes),
  ];
  const modelChain = configuration.modelChain ?? defaultModelChain;
  const [model] = modelChain;
  const mayStart = needed.every(({ status }) => status !== 'fail');
  return [
    ...needed,
    ...(await checkDirectories(configuration, probes)),
    checkModels(modelChain, probes.now()),
    await checkSandbox(probes),
    ...(mayStart ? [await lookAtWarm(options, signal)] : []),
    ...(mayStart && call ? [checkCall(model, await probes.tryCall(model, signal))] : []),
  ];
}

async function lookAtWarm({ configuration, probes }: DiagnoseOptions, signal: AbortSignal): Promise<Check> {
  const { runner, modelChain } = configuration;
  const [model] = modelChain ?? defaultModelChain;
  return runner === 'headless' ? warmUnused : checkWarm(runner, await probes.tryWarm(model, signal));
}
