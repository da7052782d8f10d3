import { escapeName } from '@gemini-mcp/core/internal';
import { formatTime, markdown } from './markdown.ts';
import type { ResourcePage } from './page-shelf.ts';

/** How one model has fared lately. */
export type ModelHealthReport = {
  readonly model: string;
  readonly attempts: number;
  readonly answered: number;
  /** Of the attempts that were answered; null without any. */
  readonly medianDurationMs: number | null;
  readonly lastFailure: { readonly kind: string; readonly atMs: number } | null;
};

export type ModelsPageOptions = {
  /** In the order in which they are tried. */
  readonly models: readonly string[];
  readonly reportHealth: () => readonly ModelHealthReport[];
};

/** The model chain, each model with how it has fared in the last hour; after it the others that callers have named. */
export function createModelsPage({ models, reportHealth }: ModelsPageOptions): ResourcePage {
  return {
    uri: 'gemini://models',
    name: 'models',
    title: 'Gemini models',
    description: 'The models in the order in which they are tried, and how each has fared lately',
    write: () => writeModels(models, reportHealth()),
  };
}

function writeModels(models: readonly string[], reports: readonly ModelHealthReport[]): string {
  const byModel = new Map(reports.map((report) => [report.model, report]));
  const others = reports.map(({ model }) => model).filter((model) => !models.includes(model));
  const rows = [...models, ...others].map((model, index) => {
    const place = index < models.length ? String(index + 1) : 'by name only';
    return `| ${place} | ${escapeName(model).replaceAll('|', '\\|')} | ${describeHealth(byModel.get(model))} |`;
  });
  return markdown(
    '# Gemini models',
    'A call without a model begins with the first and goes on to the next when one is out of quota, overloaded or gone. A call that names a model gets that one or a failure.',
    ['| tried | model | answered | median time | last failure |', '|---|---|---|---|---|', ...rows].join('\n'),
  ).text;
}

function describeHealth(report: ModelHealthReport | undefined): string {
  if (report === undefined) {
    return 'not asked yet | |';
  }
  const { attempts, answered, medianDurationMs, lastFailure } = report;
  return [
    `${answered} of ${attempts}`,
    medianDurationMs === null ? '' : `${(medianDurationMs / 1_000).toFixed(1)} s`,
    lastFailure === null ? 'none' : `${lastFailure.kind}, ${formatTime(lastFailure.atMs)}`,
  ].join(' | ');
}
