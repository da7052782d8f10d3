import type { CatalogModel } from '@gemini-mcp/core';
import { asObject, isObject, type JsonObject, listOf } from './json-object.ts';

export type ModelPage = {
  readonly models: readonly CatalogModel[];
  /** Null on the last page. */
  readonly nextPageToken: string | null;
};

/** As callers may write a model. */
const modelName = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const maxActions = 20;

/** Reads a `ListModelsResponse` of the Gemini API (v1beta); null for what is none. Entries that are no models are passed over. */
export function parseModelPage(text: string): ModelPage | null {
  const page = parseObject(text);
  const models = page?.['models'] ?? [];
  return page === null || !Array.isArray(models)
    ? null
    : { models: models.flatMap(modelOf), nextPageToken: textOf(page['nextPageToken']) };
}

function modelOf(value: unknown): readonly CatalogModel[] {
  const told = asObject(value);
  const name = (textOf(told['name']) ?? '').replace(/^models\//, '');
  if (!modelName.test(name)) {
    return [];
  }
  return [
    {
      name,
      inputTokenLimit: countOf(told, 'inputTokenLimit'),
      outputTokenLimit: countOf(told, 'outputTokenLimit'),
      thinks: typeof told['thinking'] === 'boolean' ? told['thinking'] : null,
      actions: listOf(told['supportedGenerationMethods'], maxActions).flatMap((action) => textOf(action) ?? []),
    },
  ];
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function countOf(told: JsonObject, name: string): number | null {
  const value = told[name];
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null;
}

function parseObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
