import { resolve } from 'node:path';
import {
  type ChosenDirectories,
  chooseDirectories,
  defaultStateDirectory,
  findExposure,
  homeDirectory,
  withoutUnfilledVariables,
} from '@gemini-mcp/adapters-node/internal/startup';
import type { GeminiOptions } from './gemini-options.ts';
import { type EmbeddedLogin, findEmbeddedLogin } from './login/embedded-login.ts';

/** Where a `Gemini` is on this machine. */
export type GeminiPlace = ChosenDirectories &
  EmbeddedLogin & {
    readonly home: string;
    readonly stateDirectory: string;
  };

/** Throws where the state directory is another user's, or others could put something in its place: what lies in it is believed. */
export function findPlace(options: GeminiOptions): GeminiPlace {
  const { workingDirectory, roots = [], apiKey } = options;
  const environment = withoutUnfilledVariables(options.environment ?? process.env);
  const home = homeDirectory(environment);
  const currentDirectory = workingDirectory === undefined ? findCurrentDirectory() : resolve(workingDirectory);
  const set = {
    workingDirectory: workingDirectory === undefined ? null : currentDirectory,
    roots: roots.map((root) => resolve(root)),
    trustedDirectories: [],
  };
  const chosen = chooseDirectories(set, { currentDirectory, home, packages: [], program: 'this program' });
  const stateDirectory = resolve(
    options.stateDirectory ?? defaultStateDirectory('gemini-mcp-embedded', environment, home),
  );
  const problem = findExposure(stateDirectory);
  if (problem !== null) {
    throw new Error(
      `The state directory is not safe: ${problem}. Put that right, or give createGemini another stateDirectory.`,
    );
  }
  const login = apiKey === undefined ? findEmbeddedLogin(environment) : { environment, fromKeychain: null };
  return { ...chosen, ...login, home, stateDirectory };
}

function findCurrentDirectory(): string {
  try {
    return process.cwd();
  } catch {
    throw new Error(
      'The current directory has been removed. Change to another one, or give createGemini a workingDirectory.',
    );
  }
}

/** What happened, why, and what to do, for a program without a root. */
export function describeMissingRoot(noRootBecause: string): string {
  return (
    `No files can be read, because ${noRootBecause}, which is a root only if configured.` +
    'Give createGemini `roots` or a `workingDirectory`, or start the program in your project.'
  );
}
