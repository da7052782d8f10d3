import type { Comparison, Target } from './benchmark.ts';

const header = ['What', 'Baseline (median)', 'Ours (median)', 'Ratio', 'Target', 'Met'];

/** Writes comparisons as one Markdown table. */
export function formatReport(comparisons: readonly Comparison[]): string {
  const rows = [header, header.map((_, column) => (column === 0 ? '---' : '---:')), ...comparisons.map(formatRow)];
  return rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function formatRow({ what, unit, baseline, ours, target }: Comparison): readonly string[] {
  const ratio = baseline === null ? null : ours / baseline;
  const judged = target?.of === 'figure' ? ours : ratio;
  return [
    what,
    baseline === null ? '' : formatFigure(baseline, unit),
    formatFigure(ours, unit),
    ratio === null ? '' : ratio.toFixed(2),
    target === null ? '' : formatTarget(target, unit),
    judged === null || target === null ? '' : formatVerdict(judged, target),
  ];
}

function formatFigure(figure: number, unit: Comparison['unit']): string {
  return `${figure < 1_000 ? figure.toFixed(1) : figure.toFixed(0)} ${unit}`;
}

function formatTarget({ of, limit, isInclusive }: Target, unit: Comparison['unit']): string {
  return `${isInclusive ? '≤' : '<'} ${limit}${of === 'figure' ? ` ${unit}` : ''}`;
}

function formatVerdict(judged: number, { limit, isInclusive }: Target): string {
  return judged < limit || (isInclusive && judged === limit) ? 'yes' : 'MISSED';
}
