import { open, realpath } from 'node:fs/promises';
import type { Command } from '../process/contained-command.ts';
import type { GeminiCli } from './gemini-cli-location.ts';
import { findGeminiPackageAbove } from './gemini-package.ts';

/**
 * How to start a found executable. A Node script is started with the Node that runs this server, by its real path: one
 * process, whatever `node` a search path would lead to, and no shell on Windows.
 */
export async function describeExecutable(path: string, foundBy: GeminiCli['foundBy']): Promise<GeminiCli> {
  const real = await realpath(path);
  const command: Command = (await isNodeScript(real))
    ? { file: process.execPath, arguments: [real] }
    : { file: real, arguments: [] };
  const geminiPackage = await findGeminiPackageAbove(real);
  return { command, path: real, version: geminiPackage?.version ?? null, foundBy };
}

async function isNodeScript(path: string): Promise<boolean> {
  if (/\.[cm]?js$/.test(path)) {
    return true;
  }
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(128), 0, 128, 0);
    const [firstLine = ''] = buffer.toString('latin1', 0, bytesRead).split('\n');
    return /^#!.*\bnode(?:js)?\b/.test(firstLine);
  } finally {
    await file.close();
  }
}
