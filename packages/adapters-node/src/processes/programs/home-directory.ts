import { userInfo } from 'node:os';
import { isAbsolute } from 'node:path';
import type { Environment } from './child-environment.ts';

/**
 * The user's home: the one that HOME names, and that of the account where it names none. A HOME that is empty or relative would
 * be a place in the directory of the start, where a project could put a login and settings. The top of the file system where
 * the account has no home either, as in some containers.
 */
export function homeDirectory(environment: Environment): string {
  const named = environment['HOME'] ?? '';
  return isAbsolute(named) ? named : (accountHome() ?? '/');
}

/** The home that the account has, whatever HOME says; null for an account without an entry. */
export function accountHome(): string | null {
  try {
    const { homedir } = userInfo();
    return isAbsolute(homedir) ? homedir : null;
  } catch {
    return null;
  }
}
