import type { Program } from '../command-line/program.ts';
import { type Check, fault, ok } from './check.ts';

const oldest: readonly number[] = [20, 19];

/** Says why a program does not start on this version of Node, and what to do. Returns null if the version is new enough. */
export function refuseNode(nodeVersion: string, program: Pick<Program, 'nodeAdvice'>): string | null {
  const { found, fix } = checkNode(nodeVersion, program);
  return fix === null ? null : `Node ${found}. ${fix}`;
}

/** Checks that Node is new enough for the server and for the CLI, which runs with the same Node. */
export function checkNode(nodeVersion: string, { nodeAdvice }: Pick<Program, 'nodeAdvice'>): Check {
  const version = parseVersion(nodeVersion);
  const isTooOld = version === null || isOlder(version, oldest);
  return isTooOld
    ? fault(
        'Node',
        `${nodeVersion} is too old: ${oldest.join('.')} is needed`,
        `Install Node 22 or newer (https://nodejs.org), and ${nodeAdvice}`,
      )
    : ok('Node', nodeVersion);
}

/** The first three numbers of a version; null if malformed. */
export function parseVersion(text: string): readonly [number, number, number] | null {
  const match = /^v?(\d+)\.(\d+)\.(\d+)/.exec(text);
  return match === null ? null : [Number(match[1]), Number(match[2]), Number(match[3])];
}

/** Compares only the numbers that both versions have. */
export function isOlder(version: readonly number[], than: readonly number[]): boolean {
  const position = than.findIndex((number, index) => version[index] !== number);
  return position !== -1 && (version[position] ?? 0) < (than[position] ?? 0);
}
