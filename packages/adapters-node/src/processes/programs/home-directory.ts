import { statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { isAbsolute } from 'node:path';
import type { Environment } from './child-environment.ts';

/** Stands for all users unknown to a namespace. */
const overflowUid = 65_534;

/**
 * The user's home: HOME, or the account's home if HOME is unset, empty or relative, or belongs to another user. An empty or relative HOME would lie in
 * the start directory, where a project could plant a login and settings; containers that run as root often keep the HOME of a user outside. The root of
 * the file system if the account has no home either, as in some containers.
 */
export function homeDirectory(environment: Environment): string {
  const named = environment['HOME'] ?? '';
  return isAbsolute(named) && findForeignHome(environment) === null ? named : (accountHome() ?? '/');
}

/** HOME, if it belongs to another user than root, and the account has a home of its own; null otherwise, and on Windows. */
export function findForeignHome({ HOME: named = '' }: Environment): string | null {
  const uid = process.getuid?.();
  const owner = uid === undefined || !isAbsolute(named) ? 0 : ownerOf(named);
  return [0, uid, overflowUid].includes(owner) || accountHome() === null ? null : named;
}

/** Root, if it cannot be found out. */
function ownerOf(path: string): number {
  try {
    return statSync(path).uid;
  } catch {
    return 0;
  }
}

/** The account's home, regardless of HOME; null for an account without an entry. */
export function accountHome(): string | null {
  try {
    const { homedir } = userInfo();
    return isAbsolute(homedir) ? homedir : null;
  } catch {
    return null;
  }
}
