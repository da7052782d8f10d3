import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Benchmark, type Comparison, figureBelow } from './benchmark.ts';
import { generateRepository } from './generate-repository.ts';
import { runToEnd } from './run-to-end.ts';
import { Series } from './series.ts';
import type { Workbench } from './workbench.ts';

const program = fileURLToPath(new URL('./programs/loop-delay.js', import.meta.url));
const contextBytes = 10_000_000;
const maxDelayMs = 50;

/** How long the event loop of a server is blocked while it assembles and sends a large context. */
export const loopDelay: Benchmark = {
  name: 'loop',
  defaultRounds: 15,
  run: async (workbench, rounds) => {
    const directories = [
      {
        what: '100 files of 10 MB',
        directory: await generateRepository(workbench, { files: 100, bytes: contextBytes }),
      },
      { what: 'Two files of Chinese, 10 MB', directory: await generateChinese(workbench) },
    ];
    const comparisons: Comparison[] = [];
    for (const { what, directory } of directories) {
      for (const runner of ['headless', 'warm'] as const) {
        comparisons.push(
          ...(await compareDelays(workbench, { rounds, directory, runner, what: `${what}, ${runner}` })),
        );
      }
    }
    return comparisons;
  },
};

/** Three bytes a character, so that each file is all that a message holds. */
async function generateChinese(workbench: Workbench): Promise<string> {
  const directory = await workbench.makeDirectory();
  await mkdir(join(directory, 'texts'));
  for (const name of ['one.md', 'two.md']) {
    await writeFile(join(directory, 'texts', name), '天地玄黃，宇宙洪荒。\n'.repeat(contextBytes / 2 / 31));
  }
  return directory;
}

type Delays = { readonly p99Ms: number; readonly maxMs: number };

type CompareOptions = {
  readonly rounds: number;
  readonly directory: string;
  readonly runner: 'headless' | 'warm';
  readonly what: string;
};

async function compareDelays(
  workbench: Workbench,
  { rounds, directory, runner, what }: CompareOptions,
): Promise<readonly Comparison[]> {
  const { stdout } = await runToEnd(workbench, {
    file: process.execPath,
    arguments: [program, directory, await workbench.makeDirectory(), String(rounds), runner],
    cwd: directory,
    environment: { PATH: process.env['PATH'] ?? '' },
    input: '',
  });
  const readings: readonly { readonly idle: Delays; readonly asking: Delays }[] = JSON.parse(stdout);
  const [idle, asking, longest] = [new Series(), new Series(), new Series()];
  for (const reading of readings) {
    idle.add(reading.idle.p99Ms);
    asking.add(reading.asking.p99Ms);
    longest.add(reading.asking.maxMs);
  }
  const delay = `${what}, read and sent: delay of the event loop against that of an idle process`;
  return [
    { what: `${delay}, p99`, unit: 'ms', baseline: idle.median, ours: asking.median, target: figureBelow(maxDelayMs) },
    { what: `${what}: the longest delay of a call`, unit: 'ms', baseline: null, ours: longest.median, target: null },
  ];
}
