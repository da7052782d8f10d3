import { measured, slopeOf } from './find-faults.ts';
import type { PhaseResult } from './run-phase.ts';
import type { Sample } from './take-sample.ts';

const labels: Readonly<Record<keyof Sample, string>> = {
  processes: 'processes of the CLI',
  descriptors: 'open descriptors',
  files: 'files of runs',
  ownRssBytes: 'own memory, MB',
  childRssBytes: "memory of the CLI's processes, MB",
};

const bytesPerMegabyte = 1_048_576;

/** What was seen of a phase, as Markdown. */
export function formatSoak(result: PhaseResult, faults: readonly string[]): string {
  const { name, calls, durationMs, endings, reports } = result;
  const ends = reports.flatMap((report) => (report.type === 'ended' ? [report.reason] : []));
  const startedCount = reports.filter(({ type }) => type === 'started').length;
  const retriedCount = reports.filter(({ type }) => type === 'retried').length;
  return [
    '',
    `## ${calls} calls: ${name}`,
    '',
    `Took ${Math.round(durationMs / 1_000)} s. Calls: ${formatCounts(endings)}. Carried a second time: ${retriedCount}.`,
    `Processes started: ${startedCount}; ended: ${formatCounts(countEach(ends))}.`,
    '',
    '| | before | lowest | highest | mean of the 2nd half | growth over the 2nd half | closed |',
    '|---|---:|---:|---:|---:|---:|---:|',
    ...measured.map((what) => formatRow(result, what)),
    '',
    faults.length === 0 ? 'Nothing grows, nothing is lost.' : faults.map((fault) => `FAULT: ${fault}`).join('\n'),
  ].join('\n');
}

function formatRow({ before, samples, after }: PhaseResult, what: keyof Sample): string {
  const values = samples.map((sample) => sample[what]);
  const { mean, growth, error } = slopeOf(samples, what);
  const show = (value: number): string => (value / (what.endsWith('Bytes') ? bytesPerMegabyte : 1)).toFixed(1);
  const shown = [before[what], Math.min(...values), Math.max(...values), mean].map(show);
  return `| ${labels[what]} | ${shown.join(' | ')} | ${show(growth)} ± ${show(error)} | ${show(after[what])} |`;
}

function countEach(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

function formatCounts(counts: ReadonlyMap<string, number>): string {
  return [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}
