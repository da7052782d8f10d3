import { mkdtemp, realpath } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';

/**
 * Creates a directory for programs to run: in the user's home, since everyone can write to the temporary directory. Resolves
 * to its real path. The caller removes it.
 */
export async function makeSafeDirectory(): Promise<string> {
  return realpath(await mkdtemp(join(userInfo().homedir, '.gemini-mcp-test-')));
}
