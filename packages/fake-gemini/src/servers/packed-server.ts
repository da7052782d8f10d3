import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { geminiCliUnderTest } from '../gemini-cli/gemini-cli-under-test.ts';
import type { HostileProject } from '../hostile/hostile-project.ts';
import { makeSafeDirectory } from '../make-safe-directory.ts';

/** The ways to start a server in a project. */
export type ProjectStart = 'npx' | 'npm script' | 'absolute path';

export const projectStarts: readonly ProjectStart[] = ['npx', 'npm script', 'absolute path'];

export type StartPlan = {
  readonly command: readonly [string, ...string[]];
  /** Overrides the variables of the server. */
  readonly environment: Readonly<Record<string, string>>;
};

/** One of our binaries as npm delivers it, packed and installed without a network, and a `gemini` on a safe PATH. */
export class PackedServer {
  readonly #root: string;
  readonly #name: string;
  readonly #tarball: string;

  private constructor(root: string, name: string, tarball: string) {
    this.#root = root;
    this.#name = name;
    this.#tarball = tarball;
  }

  /** Packs the package in a directory, which must be built. */
  static async create(packageDirectory: string, name: string): Promise<PackedServer> {
    const root = await makeSafeDirectory();
    const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: root };
    await mkdir(join(root, 'packed'));
    await execa('npm', ['pack', '--ignore-scripts', '--pack-destination', join(root, 'packed')], {
      ...{ cwd: packageDirectory, env, extendEnv: false },
    });
    const [file = ''] = await readdir(join(root, 'packed'));
    const tarball = join(root, 'packed', file);
    await execa('npm', ['install', '--global', '--offline', '--prefix', join(root, 'prefix'), tarball], {
      ...{ cwd: root, env, extendEnv: false },
    });
    const cli = `#!/usr/bin/env node\nimport(${JSON.stringify(geminiCliUnderTest)});\n`;
    await writeFile(join(root, 'prefix', 'bin', 'gemini'), cli, { mode: 0o755 });
    return new PackedServer(root, name, tarball);
  }

  /** How to start the server in a project; adds a script to the project if needed. */
  async plan(start: ProjectStart, project: HostileProject): Promise<StartPlan> {
    const bin = join(this.#root, 'prefix', 'bin');
    const safePath = [bin, dirname(process.execPath), '/usr/bin', '/bin'].join(':');
    const environment = { PATH: safePath, npm_config_cache: join(this.#root, 'cache'), GEMINI_MCP_CLI: '' };
    if (start === 'npx') {
      return { command: ['npx', '--yes', '--offline', `--package=${this.#tarball}`, this.#name], environment };
    }
    if (start === 'npm script') {
      await project.addScript('mcp', this.#name);
      return { command: ['npm', 'run', '--silent', 'mcp'], environment };
    }
    await project.addProgramsThatNpmRuns();
    const script = join(this.#root, 'prefix', 'lib', 'node_modules', this.#name, 'dist', `${this.#name}.cjs`);
    const PATH = `${project.binDirectory}:${safePath}`;
    return { command: [process.execPath, script], environment: { ...environment, PATH, NODE_OPTIONS: '' } };
  }

  async remove(): Promise<void> {
    await rm(this.#root, { recursive: true, force: true });
  }
}
