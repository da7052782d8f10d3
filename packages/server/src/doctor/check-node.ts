import type { Program } from '../program/program.ts';
import type { Check } from './check.ts';
import { isOlder, parseVersion } from './parse-version.ts';

const oldest: readonly number[] = [20, 19];

/** Why a program does not start on this version of Node, and what to do; null where the version is new enough. */
export function refuseNode(nodeVersion: string, program: Pick<Program, 'nodeAdvice'>): string | null {
  const { found, fix } = checkNode(nodeVersion, program);
  return fix === null ? null : `Node ${found}. ${fix}`;
}

/** Whether Node is new enough, for the server and for the CLI that it runs with the same one. */
export function checkNode(nodeVersion: string, { nodeAdvice }: Pick<Program, 'nodeAdvice'>): Check {
  const version = parseVersion(nodeVersion);
  const isTooOld = version === null || isOlder(version, oldest);
  return {
    name: 'Node',
    status: isTooOld ? 'fail' : 'ok',
    found: isTooOld ? `${nodeVersion} is too old: ${oldest.join('.')} is needed` : nodeVersion,
    fix: isTooOld ? `Install Node 22 or newer (https://nodejs.org), and ${nodeAdvice}` : null,
  };
}
