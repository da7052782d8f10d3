import type { Workbench } from './workbench.ts';

export type Benchmark = {
  readonly name: string;
  /** How often it measures if the command line does not say so. */
  readonly defaultRounds: number;
  readonly run: (workbench: Workbench, rounds: number) => Promise<readonly Row[]>;
};

/** One line of the report. */
export type Row = {
  readonly what: string;
  /** Milliseconds if missing. */
  readonly unit?: 'MB' | '/s';
  /** Missing if the figure stands alone. */
  readonly baseline?: number;
  readonly ours: number;
  /** Missing if nothing is promised. */
  readonly target?: Target;
};

export type Target = {
  readonly words: string;
  readonly isMet: (ours: number, baseline: number) => boolean;
};

export function atMost(ratio: number): Target {
  return { words: `≤ ${ratio}`, isMet: (ours, baseline) => ours / baseline <= ratio };
}

/** For figures where more is better. */
export function atLeast(ratio: number): Target {
  return { words: `≥ ${ratio}`, isMet: (ours, baseline) => ours / baseline >= ratio };
}

export function timesFaster(times: number): Target {
  return { words: `≥ ${times} times as fast`, isMet: (ours, baseline) => ours * times <= baseline };
}

/** Judges the figure itself. */
export function figureBelow(limit: number, unit: 'ms' | 'MB' = 'ms'): Target {
  return { words: `< ${limit} ${unit}`, isMet: (ours) => ours < limit };
}

/** Rows as one Markdown table. */
export function formatReport(rows: readonly Row[]): string {
  const header = ['What', 'Baseline (median)', 'Ours (median)', 'Ratio', 'Target', 'Met'];
  const rule = header.map((_, column) => (column === 0 ? '---' : '---:'));
  return [header, rule, ...rows.map(formatRow)].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function formatRow({ what, unit, baseline, ours, target }: Row): readonly string[] {
  return [
    what,
    baseline === undefined ? '' : formatFigure(baseline, unit),
    formatFigure(ours, unit),
    baseline === undefined ? '' : formatRatio(ours / baseline),
    target?.words ?? '',
    target === undefined ? '' : target.isMet(ours, baseline ?? Number.NaN) ? 'yes' : 'MISSED',
  ];
}

function formatFigure(figure: number, unit: Row['unit']): string {
  const digits = figure < 1 ? 3 : 1;
  return `${figure < 1_000 ? figure.toFixed(digits) : figure.toFixed(0)}${unit === '/s' ? '' : ' '}${unit ?? 'ms'}`;
}

function formatRatio(ratio: number): string {
  return ratio < 0.1 ? `1 : ${(1 / ratio).toFixed(0)}` : ratio.toFixed(2);
}
