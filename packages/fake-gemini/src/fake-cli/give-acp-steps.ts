import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AcpStep } from './acp-scenario.ts';

/** A prompt as `readAcpProcesses` tells of it. */
export type AcpPromptPlace = {
  readonly processNumber: number;
  readonly promptNumber: number;
};

/**
 * Lets a prompt go on that plays `given-steps`, or will: a test can so decide what a prompt is answered once it has seen it.
 */
export async function giveAcpSteps(
  directory: string,
  { processNumber, promptNumber }: AcpPromptPlace,
  steps: readonly AcpStep[],
): Promise<void> {
  const file = join(directory, `acp-steps-${processNumber}-${promptNumber}.json`);
  await writeFile(`${file}.unfinished`, JSON.stringify(steps));
  await rename(`${file}.unfinished`, file);
}
