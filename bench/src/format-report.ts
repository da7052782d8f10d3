import type { Comparison, Target } from './benchmark.ts';

const header = ['What', 'Baseline (median)', 'Ours (median)', 'Ratio', 'Target', 'Met'];

/** Writes comparisons as one Markdown table. */
export function formatReport(comparisons: readonly Comparison[]): string {
  const rows = [header, header.map((_, column) => (column === 0 ? '---' : '---:')), ...comparisons.map(formatRow)];
  return rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function formatRow(comparison: Comparison): readonly string[] {
  const { what, unit, baseline, ours, target } = comparison;
  return [
    what,
    baseline === null ? '' : formatFigure(baseline, unit),
    formatFigure(ours, unit),
    baseline === null ? '' : formatRatio(ours / baseline),
    target === null ? '' : formatTarget(target, unit),
    target === null ? '' : formatVerdict(comparison, target),
  ];
}

function formatFigure(figure: number, unit: Comparison['unit']): string {
  const digits = figure < 1 ? 3 : 1;
  return `${figure < 1_000 ? figure.toFixed(digits) : figure.toFixed(0)}${unit === '/s' ? '' : ' '}${unit}`;
}

function formatRatio(ratio: number): string {
  return ratio < 0.1 ? `1 : ${(1 / ratio).toFixed(0)}` : ratio.toFixed(2);
}

function formatTarget(target: Target, unit: Comparison['unit']): string {
  if (target.of === 'speedup') {
    return `≥ ${target.limit} times as fast`;
  }
  if (target.of === 'share') {
    return `≥ ${target.limit}`;
  }
  return `${target.isInclusive ? '≤' : '<'} ${target.limit}${target.of === 'figure' ? ` ${unit}` : ''}`;
}

function formatVerdict({ ours, baseline }: Comparison, target: Target): string {
  const judged = target.of === 'figure' || baseline === null ? ours : ours / baseline;
  if (target.of === 'speedup') {
    return verdict(judged <= 1 / target.limit);
  }
  if (target.of === 'share') {
    return verdict(judged >= target.limit);
  }
  return verdict(judged < target.limit || (target.isInclusive && judged === target.limit));
}

function verdict(isMet: boolean): string {
  return isMet ? 'yes' : 'MISSED';
}
