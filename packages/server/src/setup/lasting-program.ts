import { cp, mkdir, mkdtemp, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { loginFilePath } from '@gemini-mcp/adapters-node/internal';

type Environment = Readonly<Record<string, string | undefined>>;

export type LastingProgramOptions = {
  /** The program in the cache: `…/node_modules/<package>/dist/<file>`. */
  readonly programPath: string;
  readonly version: string;
  readonly environment: Environment;
};

/** A native module that the package can do without. The builds for each system lie next to it. */
const nativeModule = join('@napi-rs', 'keyring');

/**
 * A program that runs from the cache of npx, pnpm or Bun, which is emptied now and then, and its copy for clients to start. `npx` itself in their settings
 * would run a package of the same name from the project that a client has open.
 */
export class LastingProgram {
  /** Of the program in its copy. */
  readonly path: string;
  readonly #package: string;
  readonly #copy: string;

  constructor({ programPath, version, environment }: LastingProgramOptions) {
    this.#package = dirname(dirname(programPath));
    this.#copy = join(directoryOf(environment), version);
    const name = basename(this.#package);
    this.path = join(this.#copy, 'node_modules', name, 'dist', basename(programPath));
  }

  /** Copies the package to its place, in place of an earlier copy of this version. Resolves to null, or to the reason for a failure: a sentence. */
  async keep(): Promise<string | null> {
    const directory = dirname(this.#copy);
    try {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const draft = await mkdtemp(join(directory, '.new-'));
      try {
        const modules = dirname(this.#package);
        await copy(this.#package, join(draft, 'node_modules', basename(this.#package)));
        // With pnpm this is a link to the directory that has the builds.
        const native = await realpath(join(modules, nativeModule)).catch(() => null);
        if (native !== null) {
          await copy(dirname(native), join(draft, 'node_modules', dirname(nativeModule)));
        }
        await rm(this.#copy, { recursive: true, force: true });
        await rename(draft, this.#copy);
      } finally {
        await rm(draft, { recursive: true, force: true });
      }
      return null;
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
      return `The server could not be copied from the cache that it runs in to ${directory}${code}. Install it instead: npm install -g gemini-mcp-server`;
    }
  }
}

/** Removes the copies of all versions. Never rejects. */
export async function removeLastingPrograms(environment: Environment): Promise<void> {
  await rm(directoryOf(environment), { recursive: true, force: true }).catch(() => undefined);
}

function directoryOf(environment: Environment): string {
  return join(dirname(loginFilePath(environment)), 'program');
}

/** With the contents of links: what they lead to may go. */
function copy(from: string, to: string): Promise<void> {
  return cp(from, to, { recursive: true, dereference: true });
}
