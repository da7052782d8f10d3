import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';

export type BuiltProgram = {
  /** The file for Node to run. Every user can read it. */
  readonly file: string;
  readonly remove: () => Promise<void>;
};

/** The beginning of test programs: an executor on this machine, with its directories and run as arguments. Output is written at once. */
const beginning = `
  import { writeSync } from 'node:fs';
  import { SystemClock } from '../processes/system-clock.ts';
  import { NodeExecutor } from './node-executor.ts';
  import { planOf } from './commands/testing/plan-of.ts';

  const [mode, stateDirectory, workingDirectory, runId] = process.argv.slice(2);
  const options = { stateDirectory, privateDirectories: [], environment: {}, toolPaths: [] };
  const executor = new NodeExecutor({ clock: new SystemClock(), ...options });
  const signal = new AbortController().signal;
  const tell = (text) => writeSync(1, text + '\\n');
  const open = async (runMode) => {
    const run = { runId, owner: 'alice', workingDirectory, roots: [workingDirectory], mode: runMode, network: false };
    const opened = await executor.open(run, signal);
    if (!opened.ok) throw new Error(opened.refusal.message);
    return opened.value;
  };
  // A file that a run has viewed in part is not replaced.
  const viewWhole = async (workspace, path) => {
    for (let firstLine = 1, total = 1; firstLine <= total; ) {
      const viewed = await workspace.viewFile({ path, firstLine }, signal);
      if (!viewed.ok) return;
      [firstLine, total] = [viewed.value.lastLine + 1, viewed.value.totalLines];
    }
  };
`;

/** Bundles a program over the executor from source. `modes` are functions of an object by name; the first argument chooses one. */
export async function buildProgram(modes: string): Promise<BuiltProgram> {
  const directory = await mkdtemp(join(tmpdir(), 'executor-program-'));
  await chmod(directory, 0o755);
  const file = join(directory, 'program.mjs');
  await build({
    stdin: {
      contents: `${beginning}\nawait { ${modes} }[mode]();\n`,
      resolveDir: dirname(import.meta.dirname),
      loader: 'js',
    },
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['@gemini-mcp/source'],
  });
  return { file, remove: () => rm(directory, { recursive: true }) };
}
