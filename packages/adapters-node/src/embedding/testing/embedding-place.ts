import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OfflinePlace } from '@gemini-mcp/fake-gemini';
import { build } from 'esbuild';

export type ScriptEnd = {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** From start to exit. */
  readonly durationMs: number;
};

const packageDirectory = fileURLToPath(new URL('../../..', import.meta.url));

/** A project with an offline API, in which scripts that embed Gemini run as programs of their own, over the real CLI. */
export class EmbeddingPlace extends OfflinePlace {
  static async create(): Promise<EmbeddingPlace> {
    return new EmbeddingPlace(await OfflinePlace.createParts());
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

  /** Compiles a script of TypeScript, and returns what Node runs. */
  async compile(source: string): Promise<string> {
    const file = join(this.root, 'script.mjs');
    await build({
      stdin: { contents: source, loader: 'ts', resolveDir: packageDirectory },
      conditions: ['@gemini-mcp/source'],
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20.19',
      outfile: file,
      logLevel: 'silent',
    });
    return file;
  }

  /** Runs a script in the project, to its end; one that does not end in time is killed, and has no exit code. */
  async run(source: string, { cwd = this.project }: { readonly cwd?: string } = {}): Promise<ScriptEnd> {
    const file = await this.compile(source);
    const startedAtMs = performance.now();
    const child = spawn(process.execPath, [file], {
      cwd,
      env: this.environment(),
      timeout: 60_000,
      killSignal: 'SIGKILL',
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const exitCode = await new Promise<number | null>((resolve) => {
      child.once('close', resolve);
    });
    return { exitCode, stdout, stderr, durationMs: performance.now() - startedAtMs };
  }
}
