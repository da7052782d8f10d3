import { open, realpath } from 'node:fs/promises';
import type { Command } from '../../process/contained-command.ts';
import { absentUnlessShort } from '../../process/system-shortage.ts';
import type { GeminiCli } from './gemini-cli-location.ts';
import { findGeminiPackageAbove } from './gemini-package.ts';

/** `#!/usr/bin/env node`, with a path, with flags of env or of Node; but not a path that only goes through a `node`. */
const nodeShebang = /^#!\s*(?:\S*\/env\s+(?:-S\s*)?)?(?:\S*\/)?node(?:js)?(?:\s|$)/;

/**
 * How to start a found executable. A Node script is started with the Node that runs this server, by its real path: one
 * process, whatever `node` a search path would lead to, and no shell on Windows. Anything else is started by the path
 * where it was found: programs that many names lead to (version managers) ask by which they were called. Rejects when
 * there is no such file.
 */
export async function describeExecutable(path: string, foundBy: GeminiCli['foundBy']): Promise<GeminiCli> {
  const real = await realpath(path);
  const command: Command = (await isNodeScript(real))
    ? { file: process.execPath, arguments: [real] }
    : { file: path, arguments: [] };
  const geminiPackage = await findGeminiPackageAbove(real);
  return { command, path: real, version: geminiPackage?.version ?? null, foundBy };
}

async function isNodeScript(path: string): Promise<boolean> {
  return /\.[cm]?js$/.test(path) || nodeShebang.test(await readFirstLine(path));
}

/** Empty for a program that may be executed but not read: that is no script. */
async function readFirstLine(path: string): Promise<string> {
  const file = await open(path, 'r').catch(absentUnlessShort);
  if (file === null) {
    return '';
  }
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(128), 0, 128, 0);
    return buffer.toString('latin1', 0, bytesRead).split(/\r?\n/)[0] ?? '';
  } finally {
    await file.close();
  }
}
