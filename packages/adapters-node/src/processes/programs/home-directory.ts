import { userInfo } from 'node:os';
import { isAbsolute } from 'node:path';
import type { Environment } from './child-environment.ts';

/**
 * The user's home: HOME, or the account's home if HOME is unset, empty or relative. An empty or relative HOME would lie in the start
 * directory, where a project could plant a login and settings. The root of the file system if the account has no home either, as in some
 * containers.
 */
export function homeDirectory(environment: Environment): string {
  const named = environment['HOME'] ?? '';
  return isAbsolute(named) ? named : (accountHome() ?? '/');
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
