import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OfflinePlace, runTestProgram, type TestProgramEnd } from '@gemini-mcp/fake-gemini';
import { build, type Plugin } from 'esbuild';
import manifest from '../../package.json' with { type: 'json' };

const packageDirectory = fileURLToPath(new URL('../..', import.meta.url));

/** Dependencies of the examples that load as installed, including files other than JavaScript. Everything else is compiled, as in our packages. */
const installed: ReadonlySet<string> = new Set([
  ...Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }).filter(
    (name) => !name.startsWith('@gemini-mcp/'),
  ),
  '@napi-rs/keyring',
]);

const othersStayOutside: Plugin = {
  name: 'others-stay-outside',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^[@\w]/ }, ({ path }) => {
      const name = path.split('/', path.startsWith('@') ? 2 : 1).join('/');
      return installed.has(name) ? { path, external: true } : null;
    });
  },
};

/** A project with an offline API for examples that run as separate programs, over the real CLI. */
export class ExamplePlace extends OfflinePlace {
  static async create(): Promise<ExamplePlace> {
    const place = new ExamplePlace(await OfflinePlace.createParts());
    await symlink(join(packageDirectory, 'node_modules'), join(place.root, 'node_modules'));
    return place;
  }

  /** Where programs without a state directory of their own keep their state. */
  override get stateDirectory(): string {
    return join(this.root, '.local', 'state', 'gemini-mcp-embedded');
  }

  /** Writes a file of the project, below a directory of its own or not. */
  async write(path: string, text: string): Promise<void> {
    const file = join(this.project, ...path.split('/'));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }

  /** Runs a program of `src` in the project, to its end. */
  async run(program: string, ...args: readonly string[]): Promise<TestProgramEnd> {
    const file = await this.compile(program);
    const environment = { ...this.environment(), MCP_TOKEN: 'token-of-the-example' };
    return runTestProgram({ file, args, cwd: this.project, environment });
  }

  /** Makes one file of a program of `src`, which Node runs. Returns its path. */
  async compile(program: string): Promise<string> {
    const file = join(this.root, 'program.mjs');
    await build({
      entryPoints: [join(packageDirectory, 'src', program)],
      plugins: [othersStayOutside],
      conditions: ['@gemini-mcp/source'],
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20.19',
      // The main file of jsonc-parser asks for its others in a way that no bundler understands.
      mainFields: ['module', 'main'],
      // CommonJS packages among them ask for modules of Node by `require`.
      banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
      outfile: file,
      logLevel: 'silent',
    });
    return file;
  }
}
