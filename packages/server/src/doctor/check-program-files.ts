import { readdir } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
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
      // A directory above can be the system's own, such as /tmp.
      const isOurs = fault.place === dirname(directory) || fault.place.startsWith(`${dirname(directory)}${sep}`);
      const close = `Close it to others, for example with: chmod -R go-w ${shellWord(fault.place)}. Or install`;
      const fix = `${isOurs ? close : 'Install'} the server in a directory of your own.`;
      return [warning('Program files', `others may change this server's code. ${describePathFault(fault)}`, fix)];
    }
  }
  return [];
}
