import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OfflinePlace, runTestProgram, type TestProgramEnd } from '@gemini-mcp/fake-gemini';
import { build } from 'esbuild';

const packageDirectory = fileURLToPath(new URL('../..', import.meta.url));

/** A project with an offline API for scripts that embed Gemini and run as separate programs, over the real CLI. */
export class EmbeddingPlace extends OfflinePlace {
  static async create(): Promise<EmbeddingPlace> {
    const place = new EmbeddingPlace(await OfflinePlace.createParts());
    await symlink(join(packageDirectory, 'node_modules'), join(place.root, 'node_modules'));
    return place;
  }

  /** Where programs keep their state that say nothing of it. */
  override get stateDirectory(): string {
    return join(this.root, '.local', 'state', 'gemini-mcp-embedded');
  }

  /** Writes files of the project, paths with `/` to contents. */
  async write(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [path, text] of Object.entries(files)) {
      const file = join(this.project, ...path.split('/'));
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }
  }

  /** Files below a directory of this place, by their paths in it; empty if it is missing. */
  async filesOf(directory: string): Promise<readonly string[]> {
    const top = join(this.root, directory);
    const entries = await readdir(top, { recursive: true, withFileTypes: true }).catch(() => []);
    return entries
      .filter((entry) => !entry.isDirectory())
      .map((entry) => relative(top, join(entry.parentPath, entry.name)));
  }

  /** Compiles a script of TypeScript, and returns what Node runs. */
  async compile(source: string): Promise<string> {
    await build({
      stdin: { contents: source, loader: 'ts', resolveDir: packageDirectory },
      conditions: ['@gemini-mcp/source'],
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20.19',
      // CommonJS packages among them ask for modules of Node by `require`.
      banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
      outdir: this.root,
      outExtension: { '.js': '.mjs' },
      entryNames: 'script',
      // Otherwise late libraries would load in an order that needs zod before it is there.
      splitting: true,
      // The main file of jsonc-parser asks for its others in a way that no bundler understands.
      mainFields: ['module', 'main'],
      external: ['@napi-rs/keyring', 'undici'],
      logLevel: 'silent',
    });
    return join(this.root, 'script.mjs');
  }

  /** Runs a script in the project, to its end; one that does not end in time is killed, and has no exit code. */
  async run(source: string): Promise<TestProgramEnd> {
    return runTestProgram({ file: await this.compile(source), cwd: this.project, environment: this.environment() });
  }
}
