import { join } from 'node:path';
import type { PrivateFile } from '../../disk/run-directory/run-directory.ts';
import type { Command } from '../../processes/contained-command.ts';

/** Functions that one inside the CLI is made of, by the names under which it gets them. */
export type InsideParts = Readonly<Record<string, (...words: never[]) => unknown>>;

/**
 * A function that runs inside the process of the Gemini CLI, before the CLI. Only its text gets there: it may use its
 * arguments and the globals of Node, and nothing that is imported or declared around it. So may each of its parts. It must
 * not throw, and must not end the process.
 */
export type InsideFunction<Given, Parts extends InsideParts = InsideParts> = (
  requireModule: NodeJS.Require,
  given: Given,
  parts: Parts,
) => void;

/** One piece of the preloaded script, as JavaScript. */
export type PreloadPiece = string & { readonly isPreloadPiece: true };

/** The call of a function inside the CLI. `given` gets there as JSON, the parts as text. */
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

/** The script that a process of the CLI loads first: the pieces in their order. */
export function buildPreload(pieces: readonly PreloadPiece[]): PrivateFile {
  return { path: preloadPath, content: `'use strict';\n${pieces.join('')}` };
}

/** The command with that script loaded first; as it is where it is no script for this Node. */
export function withPreload({ file, arguments: words }: Command, runRoot: string): Command {
  return isScript(file)
    ? { file, arguments: [`--require=${join(runRoot, preloadPath)}`, ...words] }
    : { file, arguments: words };
}

/** What makes a program that is no script for this Node, and starts one, load that script: variables of its environment. */
export function preloadVariables({ file }: Command, runRoot: string): Readonly<Record<string, string>> {
  const path = join(runRoot, preloadPath).replaceAll(/["\\]/g, '\\$&');
  return isScript(file) ? {} : { NODE_OPTIONS: `--require="${path}"` };
}

function isScript(file: string): boolean {
  return file === process.execPath;
}

/**
 * Makes the CLI wait until its output has been taken. Gemini CLI 0.61.0 ends itself after its last event, and what does not fit into the
 * socket between us (some 219 KB) would be lost. Runs inside the CLI.
 */
export function writeWholeOutput(): void {
  const stdout: { _handle?: { setBlocking?: (isBlocking: boolean) => void } } = Object(process.stdout);
  stdout._handle?.setBlocking?.(true);
}
