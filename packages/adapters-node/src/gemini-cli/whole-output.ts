import { join } from 'node:path';
import type { Command } from '../process/contained-command.ts';
import type { PrivateFile } from './run-directory.ts';

/**
 * Makes a run wait until what it writes has been taken. Gemini CLI 0.61.0 ends itself as soon as it has written its last
 * event, and what does not fit into the socket between us (some 219 KB) is gone: an answer that came in one large piece, and the
 * event that says it was whole.
 */
export const wholeOutputFile: PrivateFile = {
  path: 'whole-output.cjs',
  content: 'process.stdout._handle?.setBlocking?.(true);\n',
};

/** The command with that file loaded first; as it is where it is no script for this Node. */
export function withWholeOutput({ file, arguments: words }: Command, runRoot: string): Command {
  const isScript = file === process.execPath;
  return isScript
    ? { file, arguments: [`--require=${join(runRoot, wholeOutputFile.path)}`, ...words] }
    : { file, arguments: words };
}
