import { measured, slopeOf } from './find-faults.ts';
import type { PhaseResult } from './run-phase.ts';
import type { Sample } from './take-sample.ts';

const labels: Readonly<Record<keyof Sample, string>> = {
  processes: 'processes of the CLI',
  descriptors: 'open descriptors',
  files: 'files of runs',
  ownRssBytes: 'own memory, MB',
  ownHeapBytes: 'own heap after a collection, MB',
  childRssBytes: "memory of the CLI's processes, MB",
};

/** Figures of a process besides its end. */
const told: ReadonlySet<string> = new Set(['started', 'ready', 'retried']);

const bytesPerMegabyte = 1_048_576;

/** The figures of a phase, as Markdown. */
export function formatSoak(result: PhaseResult, faults: readonly string[]): string {
  const { name, calls, durationMs, endings, reports } = result;
  const ends = new Map([...reports].filter(([what]) => !told.has(what)));
  return [
    '',
    `## ${calls} calls: ${name}`,
    '',
    `Took ${Math.round(durationMs / 1_000)} s. Calls: ${formatCounts(endings)}. Carried a second time: ${reports.get('retried') ?? 0}.`,
    `Processes started: ${reports.get('started') ?? 0}; ended: ${formatCounts(ends)}.`,
    '',
    '| | before | lowest | highest | mean of the 2nd half | growth over the 2nd half | that for 1,000 calls | closed |',
    '|---|---:|---:|---:|---:|---:|---:|---:|',
    ...measured.map((what) => formatRow(result, what)),
    '',
    faults.length === 0 ? 'Nothing grows, nothing is lost.' : faults.map((fault) => `FAULT: ${fault}`).join('\n'),
  ].join('\n');
}

function formatRow({ before, samples, after, calls }: PhaseResult, what: keyof Sample): string {
  const values = samples.map((sample) => sample[what]);
  const { mean, growth, error } = slopeOf(samples, what);
  const show = (value: number): string => (value / (what.endsWith('Bytes') ? bytesPerMegabyte : 1)).toFixed(2);
  const shown = [before[what], Math.min(...values), Math.max(...values), mean].map(show);
  const perThousand = show((growth * 2_000) / calls);
  return `| ${labels[what]} | ${shown.join(' | ')} | ${show(growth)} ± ${show(error)} | ${perThousand} | ${show(after[what])} |`;
}

function formatCounts(counts: ReadonlyMap<string, number>): string {
  return [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}
