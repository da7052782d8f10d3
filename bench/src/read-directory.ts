import { atMost, type Benchmark } from './benchmark.ts';
import { generateRepository, gitEnvironment } from './generate-repository.ts';
import { inTurns, median } from './in-turns.ts';
import { ownProgram, type Workbench } from './workbench.ts';

const size = { files: 900, bytes: 11_000_000 };
const warmRounds = 7;

/** Reads a directory of many files, against the shortest shell command that reads the same ones. */
export const readDirectory: Benchmark = {
  name: 'context',
  defaultRounds: 15,
  run: async (workbench, rounds) => {
    const directory = await generateRepository(workbench, size);
    const shell = { file: '/bin/sh', arguments: ['-c', 'git ls-files -z | xargs -0 cat > /dev/null'] };
    const environment = gitEnvironment(directory);
    const taken = await inTurns(rounds, [
      async () => ({ shell: (await workbench.run({ ...shell, cwd: directory, environment })).durationMs }),
      () => readInFreshProcess(workbench, directory),
    ]);
    const what = '900 files, 11 MB, from a directory';
    const baseline = median(taken.shell);
    return [
      { what: `${what}: first call`, baseline, ours: median(taken.firstMs), target: atMost(3) },
      { what: `${what}: later calls`, baseline, ours: median(taken.warmMs) },
      {
        what: 'The same: growth of memory, against the bytes that were read',
        unit: 'MB',
        baseline: median(taken.megabytes),
        ours: median(taken.grownMegabytes),
        target: atMost(3),
      },
    ];
  },
};

export type ContextFigures = Readonly<
  Record<'firstMs' | 'warmMs' | 'files' | 'leftOut' | 'megabytes' | 'grownMegabytes', number>
>;

async function readInFreshProcess(workbench: Workbench, directory: string): Promise<ContextFigures> {
  const environment = { PATH: process.env['PATH'] ?? '', HOME: directory };
  const program = ownProgram('read-context', directory, `${warmRounds}`);
  const { stdout } = await workbench.run({ ...program, cwd: directory, environment });
  const figures: ContextFigures = JSON.parse(stdout);
  // The repository's own .gitignore is read as well.
  if (figures.files !== size.files + 1 || figures.leftOut !== 0) {
    throw new Error(`Not the whole repository was read: ${stdout}`);
  }
  return figures;
}
