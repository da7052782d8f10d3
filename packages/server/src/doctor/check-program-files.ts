import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describePathFault, ProgramTrust } from '@gemini-mcp/adapters-node/internal';
import { shellWord } from '@gemini-mcp/core/internal';
import { type Check, warning } from './check.ts';

/**
 * Checks that no other user can change the code of this program, which runs with this user's keys. A package or a plugin that root
 * unpacked without a umask is open like that. Returns nothing if all is well.
 */
export async function checkProgramFiles(programPath: string): Promise<readonly Check[]> {
  const directory = dirname(programPath);
  const trust = new ProgramTrust({ projects: [] });
  const files = (await readdir(directory).catch(() => [])).filter((name) => name.endsWith('.cjs'));
  for (const path of [programPath, ...files.map((name) => join(directory, name))]) {
    const fault = await trust.judgeProgram(path);
    if (fault !== null) {
      const fix = `Close it to others, for example with: chmod -R go-w ${shellWord(fault.place)}. Or install the server in a directory of your own.`;
      return [warning('Program files', `others may change this server's code. ${describePathFault(fault)}`, fix)];
    }
  }
  return [];
}
