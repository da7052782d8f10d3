import { failureReason, type ModelList } from '@gemini-mcp/core';
import { describeRetirement, escapeName, formatCount, modelWindowTokens } from '@gemini-mcp/core/internal';
import { formatTime, markdown } from '../surface/resource-provider.ts';
import type { ResourcePage } from './manual-page.ts';

/** The recent results of one model. */
export type ModelHealthReport = {
  readonly model: string;
  readonly attempts: number;
  readonly answered: number;
  /** Of the answered attempts; null without an answer. */
  readonly medianDurationMs: number | null;
  readonly lastFailure: { readonly kind: string; readonly atMs: number } | null;
};

export type ModelsPageOptions = {
  /** In the order of fallback. */
  readonly models: readonly string[];
  readonly reportHealth: () => readonly ModelHealthReport[];
  /** The models that the API lists; if missing, the API is not asked. */
  readonly knownModels?: KnownModels | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
};

/** As `KnownModels` of core. */
export type KnownModels = {
  /** The list, or why it is missing; null if it has not come within this many milliseconds. */
  readonly read: (patienceMs: number, signal: AbortSignal) => Promise<ModelList | null>;
};

/** How long a reader of the page waits for a list that is still loading. */
const patienceMs = 2_000;

/** The model chain with each model's results of the last hour, then the other models that callers have named. */
export function createModelsPage({ models, reportHealth, knownModels, now }: ModelsPageOptions): ResourcePage {
  return {
    uri: 'gemini://models',
    name: 'models',
    title: 'Gemini models',
    description: 'The models in order of fallback, their windows, and the recent results of each',
    write: async ({ signal }) => {
      const list = (await knownModels?.read(patienceMs, signal)) ?? null;
      return writeModels({ models, reports: reportHealth(), list, asksApi: knownModels !== undefined, nowMs: now() });
    },
  };
}

type Page = {
  readonly models: readonly string[];
  readonly reports: readonly ModelHealthReport[];
  readonly list: ModelList | null;
  readonly asksApi: boolean;
  readonly nowMs: number;
};

function writeModels({ models, reports, list, asksApi, nowMs }: Page): string {
  const byModel = new Map(reports.map((report) => [report.model, report]));
  const others = reports.map(({ model }) => model).filter((model) => !models.includes(model));
  const all = [...models, ...others];
  const rows = all.map((model, index) => {
    const place = index < models.length ? String(index + 1) : 'by name only';
    return `| ${place} | ${cell(model)} | ${describeWindow(model, list)} | ${describeHealth(byModel.get(model))} |`;
  });
  const retirements = all.flatMap((model) => describeRetirement(model, nowMs) ?? []);
  return markdown(
    '# Gemini models',
    'A call without a model begins with the first and goes on to the next when one is out of quota, overloaded or gone. A call that names a model gets that one or a failure.',
    [
      '| tried | model | tokens in / out | answered | median time | last failure |',
      '|---|---|---|---|---|---|',
      ...rows,
    ].join('\n'),
    ...retirements,
    ...(asksApi ? [describeList(all, list)] : []),
  ).text;
}

function cell(text: string): string {
  return escapeName(text).replaceAll('|', '\\|');
}

/** From the API if listed, otherwise the facts known by name. */
function describeWindow(model: string, list: ModelList | null): string {
  const told = list?.ok === true ? list.models.find(({ name }) => name === model) : undefined;
  const input = told?.inputTokenLimit ?? modelWindowTokens(model);
  return told?.outputTokenLimit == null
    ? formatCount(input)
    : `${formatCount(input)} / ${formatCount(told.outputTokenLimit)}`;
}

const maxFurtherModels = 100;

function describeList(shown: readonly string[], list: ModelList | null): string {
  if (list === null) {
    return 'The Gemini API has not listed its models yet. Read this page again in a few seconds.';
  }
  if (!list.ok) {
    return `The Gemini API did not list its models: ${failureReason(list.failure)}.`;
  }
  const further = list.models.filter(
    ({ name, actions }) => !shown.includes(name) && actions.includes('generateContent'),
  );
  const names = further.slice(0, maxFurtherModels).map(({ name }) => cell(name));
  const rest = further.length - names.length;
  return `The Gemini API knows as well: ${names.join(', ') || 'none'}${rest === 0 ? '' : ` and ${formatCount(rest)} more`}.`;
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
