import { fileURLToPath } from 'node:url';
import { atMost, type Benchmark, below, type Comparison } from './benchmark.ts';
import { generateRepository, gitEnvironment } from './generate-repository.ts';
import { interleave } from './interleave.ts';
import { runToEnd } from './run-to-end.ts';
import { Series } from './series.ts';
import type { Workbench } from './workbench.ts';

const size = { files: 900, bytes: 11_000_000 };
const bytesPerMegabyte = 1_000_000;
const warmRounds = 7;
const readContextProgram = fileURLToPath(new URL('./programs/read-context.js', import.meta.url));

/** Reading a directory of many files, against the least that a shell can do to read the same ones. */
export const contextReading: Benchmark = {
  name: 'context',
  defaultRounds: 15,
  run: async (workbench, rounds) => {
    const directory = await generateRepository(workbench, size);
    const [shell, first, warm, growth] = [new Series(), new Series(), new Series(), new Series()];
    let bytes = 0;
    await interleave(rounds, [
      async () => [{ series: shell, figure: await timeShell(workbench, directory) }],
      async () => {
        const reading = await readInFreshProcess(workbench, directory);
        bytes = reading.bytes;
        return [
          { series: first, figure: reading.firstMs },
          { series: warm, figure: reading.warmMs },
          ...(reading.growthBytes === null ? [] : [{ series: growth, figure: reading.growthBytes }]),
        ];
      },
    ]);
    const what = '900 files, 11 MB, from a directory';
    return [
      { what: `${what}: first call`, unit: 'ms', baseline: shell.median, ours: first.median, target: atMost(3) },
      { what: `${what}: later calls`, unit: 'ms', baseline: shell.median, ours: warm.median, target: null },
      ...memoryComparison(growth, bytes),
    ];
  },
};

function memoryComparison(growth: Series, bytes: number): readonly Comparison[] {
  const what = 'The same: growth of memory, against the bytes that were read';
  const baseline = bytes / bytesPerMegabyte;
  return growth.isEmpty
    ? []
    : [{ what, unit: 'MB', baseline, ours: growth.median / bytesPerMegabyte, target: below(3) }];
}

async function timeShell(workbench: Workbench, directory: string): Promise<number> {
  const { durationMs } = await runToEnd(workbench, {
    file: '/bin/sh',
    arguments: ['-c', 'git ls-files -z | xargs -0 cat > /dev/null'],
    cwd: directory,
    environment: gitEnvironment(directory),
    input: '',
  });
  return durationMs;
}

type ContextFigures = {
  readonly firstMs: number;
  readonly warmMs: number;
  readonly files: number;
  readonly bytes: number;
  readonly leftOut: number;
  readonly growthBytes: number | null;
};

async function readInFreshProcess(workbench: Workbench, directory: string): Promise<ContextFigures> {
  const { stdout } = await runToEnd(workbench, {
    file: process.execPath,
    arguments: [readContextProgram, directory, String(warmRounds)],
    cwd: directory,
    environment: { PATH: process.env['PATH'] ?? '', HOME: directory },
    input: '',
  });
  const figures: ContextFigures = JSON.parse(stdout);
  // The repository's own .gitignore is read as well.
  if (figures.files !== size.files + 1 || figures.leftOut !== 0) {
    throw new Error(`Not the whole repository was read: ${stdout}`);
  }
  return figures;
}
