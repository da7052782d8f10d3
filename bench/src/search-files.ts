import { NodeExecutor, SystemClock } from '@gemini-mcp/adapters-node';
import { findSystemProgram } from '@gemini-mcp/adapters-node/internal';
import type { SearchFilesRequest, Workspace } from '@gemini-mcp/core';
import { atMost, type Benchmark, type Comparison } from './benchmark.ts';
import { generateRepository, gitEnvironment } from './generate-repository.ts';
import { interleave } from './interleave.ts';
import { runToEnd } from './run-to-end.ts';
import { Series } from './series.ts';
import type { Workbench } from './workbench.ts';

const size = { files: 10_000, bytes: 60_000_000 };
const never = new AbortController().signal;

/** In a few files of the repository. */
const sought = 'signal signal signal signal';

const searches = [
  { what: '10,000 files, 60 MB, searched for text', text: sought, isPattern: false },
  { what: 'The same by a regular expression', text: 'signal signal signal signal\\w*', isPattern: true },
] as const;

/** Searching the files of a project, against ripgrep where it is installed. */
export const searchFiles: Benchmark = {
  name: 'search',
  defaultRounds: 15,
  run: async (workbench, rounds) => {
    const ripgrep = await findSystemProgram('rg');
    if (ripgrep === null) {
      throw new Error('ripgrep is not installed: there is nothing to compare with.');
    }
    const directory = await generateRepository(workbench, size);
    const workspace = await openWorkspace(workbench, directory);
    const series = searches.map((search) => ({ ...search, ours: new Series(), baseline: new Series() }));
    await interleave(
      rounds,
      series.flatMap(({ text, isPattern, ours, baseline }) => [
        async () => [
          { series: baseline, figure: await timeRipgrep(workbench, { ripgrep, directory, text, isPattern }) },
        ],
        async () => [{ series: ours, figure: await timeSearch(workspace, { text, isPattern }) }],
      ]),
    );
    await workspace.close();
    return series.map(
      ({ what, ours, baseline }): Comparison => ({
        what,
        unit: 'ms',
        baseline: baseline.median,
        ours: ours.median,
        target: atMost(3),
      }),
    );
  },
};

async function openWorkspace(workbench: Workbench, directory: string): Promise<Workspace> {
  const stateDirectory = await workbench.makeDirectory();
  const executor = new NodeExecutor({
    clock: new SystemClock(),
    stateDirectory,
    privateDirectories: [],
    environment: {},
    toolPaths: [],
  });
  const run = { runId: 'bench', owner: 'bench', mode: 'plan', network: false } as const;
  const opened = await executor.open({ ...run, workingDirectory: directory, roots: [directory] }, never);
  if (!opened.ok) {
    throw new Error(opened.refusal.message);
  }
  return opened.value;
}

async function timeSearch(
  workspace: Workspace,
  search: Pick<SearchFilesRequest, 'text' | 'isPattern'>,
): Promise<number> {
  const startedAt = performance.now();
  const found = await workspace.searchFiles({ path: '.', ignoresCase: false, filePattern: null, ...search }, never);
  const durationMs = performance.now() - startedAt;
  if (!found.ok || found.value.lines.length === 0 || found.value.files < size.files) {
    throw new Error(`The search did not find what is there: ${JSON.stringify(found).slice(0, 300)}`);
  }
  return durationMs;
}

type RipgrepSearch = {
  readonly ripgrep: string;
  readonly directory: string;
  readonly text: string;
  readonly isPattern: boolean;
};

async function timeRipgrep(
  workbench: Workbench,
  { ripgrep, directory, text, isPattern }: RipgrepSearch,
): Promise<number> {
  const kind = isPattern ? [] : ['--fixed-strings'];
  const { durationMs } = await runToEnd(workbench, {
    file: ripgrep,
    arguments: ['--no-config', '--line-number', ...kind, '-e', text, '.'],
    cwd: directory,
    environment: gitEnvironment(directory),
    input: '',
  });
  return durationMs;
}
