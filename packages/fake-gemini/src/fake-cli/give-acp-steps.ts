import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AcpStep } from './acp-scenario.ts';

/** A prompt in the form of `readAcpProcesses`. */
export type AcpPromptPlace = {
  readonly processNumber: number;
  readonly promptNumber: number;
};

/** Lets a prompt with the step `given-steps` go on: a test can so choose the answer after it has seen the prompt. */
export async function giveAcpSteps(
  directory: string,
  { processNumber, promptNumber }: AcpPromptPlace,
  steps: readonly AcpStep[],
): Promise<void> {
  const file = join(directory, `acp-steps-${processNumber}-${promptNumber}.json`);
  await writeFile(`${file}.unfinished`, JSON.stringify(steps));
  await rename(`${file}.unfinished`, file);
}
