import { join } from 'node:path';
import type { PrivateFile } from '../../disk/run-directory/run-directory.ts';
import type { Command } from '../../processes/contained-command.ts';

/** Functions passed to a function inside the CLI, by name. */
export type InsideParts = Readonly<Record<string, (...words: never[]) => unknown>>;

/**
 * A function that runs inside the process of the Gemini CLI, before the CLI. Only its source text gets there: it may use its arguments
 * and the globals of Node, but no imports and no variables of the enclosing scope. The same holds for its parts. It must not throw, and
 * must not end the process.
 */
export type InsideFunction<Given, Parts extends InsideParts = InsideParts> = (
  requireModule: NodeJS.Require,
  given: Given,
  parts: Parts,
) => void;

/** One piece of the preloaded script, as JavaScript. */
export type PreloadPiece = string & { readonly isPreloadPiece: true };

/** Source text that calls a function inside the CLI. `given` is passed as JSON, the parts as source text. */
export function preloadPiece<Given, Parts extends InsideParts>(
  run: InsideFunction<Given, Parts>,
  given: Given,
  parts: Parts,
): PreloadPiece;
export function preloadPiece<Given>(run: InsideFunction<Given>, given: Given): PreloadPiece;
export function preloadPiece(run: unknown, given: unknown, parts: InsideParts = {}): PreloadPiece {
  const functions = Object.entries(parts).map(([name, part]) => `${name}: ${part.toString()}`);
  return `(${String(run)})(require, ${JSON.stringify(given)}, {${functions.join(',\n')}});\n` as PreloadPiece;
}

const preloadPath = 'preload.cjs';

/** The script that a CLI process loads first: the pieces in order. */
export function buildPreload(pieces: readonly PreloadPiece[]): PrivateFile {
  return { path: preloadPath, content: `'use strict';\n${pieces.join('')}` };
}

/** The command with that script preloaded; unchanged if it is not a script for this Node. */
export function withPreload({ file, arguments: words }: Command, runRoot: string): Command {
  return isScript(file)
    ? { file, arguments: [`--require=${join(runRoot, preloadPath)}`, ...words] }
    : { file, arguments: words };
}

/** Environment variables that preload that script if the program is not a script for this Node but starts one. */
export function preloadVariables({ file }: Command, runRoot: string): Readonly<Record<string, string>> {
  const path = join(runRoot, preloadPath).replaceAll(/["\\]/g, '\\$&');
  return isScript(file) ? {} : { NODE_OPTIONS: `--require="${path}"` };
}

function isScript(file: string): boolean {
  return file === process.execPath;
}

/**
 * Makes the CLI wait until its output has been read. Gemini CLI 0.61.0 exits after its last event, and output beyond the socket's buffer
 * (some 219 KB) would be lost. Runs inside the CLI.
 */
export function writeWholeOutput(): void {
  const stdout: { _handle?: { setBlocking?: (isBlocking: boolean) => void } } = Object(process.stdout);
  stdout._handle?.setBlocking?.(true);
}
