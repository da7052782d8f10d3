import type { CatalogModel, Clock, GeminiFailure, ModelCatalog, ModelList } from '@gemini-mcp/core';
import type { ApiLogin } from './api-login.ts';
import { hideSecret } from './hide-secret.ts';
import { connectionFailure } from './http/connection-failure.ts';
import { HttpConnections } from './http/http-connections.ts';
import { noProxies, type Proxies } from './http/proxies.ts';
import { readStart } from './http/read-start.ts';
import { refusedResponse } from './http/refused-response.ts';
import { asObject, isObject, type JsonObject, listOf } from './json-object.ts';

export type ApiModelCatalogOptions = {
  /** A key of the Gemini API: Vertex AI lists neither context windows nor the models that a project can use. */
  readonly login: Extract<ApiLogin, { readonly type: 'gemini-key' }>;
  readonly clock: Clock;
  /** As in `ApiGeminiRunnerOptions`. */
  readonly geminiBaseUrl?: string | undefined;
  readonly proxies?: Proxies | undefined;
};

/** The maximum number of pages; Google serves some sixty models. */
const pageSize = 1_000;
const maxPages = 10;
const maxPageBytes = 4 * 1024 * 1024;

/** The models that a key of the Gemini API can use (`models.list`, v1beta). */
export class ApiModelCatalog implements ModelCatalog {
  readonly #options: ApiModelCatalogOptions;

  constructor(options: ApiModelCatalogOptions) {
    this.#options = options;
  }

  async list(signal: AbortSignal): Promise<ModelList> {
    const { login, proxies = noProxies } = this.#options;
    // Requested once a day: not worth an open connection.
    const connections = new HttpConnections(proxies);
    try {
      return await this.#listPages(connections, signal);
    } catch (error) {
      const failure: GeminiFailure = signal.aborted ? { kind: 'cancelled' } : connectionFailure(error);
      return { ok: false, failure: hideSecret(failure, login.apiKey) };
    } finally {
      await connections.close();
    }
  }

  async #listPages(connections: HttpConnections, signal: AbortSignal): Promise<ModelList> {
    signal.throwIfAborted();
    const { login, clock } = this.#options;
    const models = new Map<string, CatalogModel>();
    let next: string | null = '';
    for (let pages = 0; next !== null; pages += 1) {
      if (pages === maxPages) {
        return refused(`The list of models has more than ${maxPages} pages.`);
      }
      const url = this.#urlOf(next);
      const response = await connections.send({ url, headers: { 'x-goog-api-key': login.apiKey } }, signal);
      const secret = login.apiKey;
      const failure = await refusedResponse(response, { clock, expected: 'application/json', secret });
      if (failure !== null) {
        return { ok: false, failure };
      }
      const page = parseModelPage(await readStart(response.body, clock, maxPageBytes));
      if (page === null) {
        return refused('The response was not a list of models.');
      }
      for (const model of page.models) {
        models.set(model.name, model);
      }
      next = page.nextPageToken;
    }
    return { ok: true, models: [...models.values()] };
  }

  #urlOf(pageToken: string): URL {
    const { geminiBaseUrl = 'https://generativelanguage.googleapis.com' } = this.#options;
    const url = new URL(`${geminiBaseUrl.replace(/\/+$/, '')}/v1beta/models`);
    url.searchParams.set('pageSize', String(pageSize));
    if (pageToken !== '') {
      url.searchParams.set('pageToken', pageToken);
    }
    return url;
  }
}

function refused(excerpt: string): ModelList {
  return { ok: false, failure: { kind: 'malformed-output', excerpt } };
}

type ModelPage = {
  readonly models: readonly CatalogModel[];
  /** Null on the last page. */
  readonly nextPageToken: string | null;
};

/** The forms of a model's name in calls. */
const modelName = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const maxActions = 20;

/** Parses a `ListModelsResponse` of the Gemini API (v1beta); null for anything else. Skips entries that are not models. */
function parseModelPage(text: string): ModelPage | null {
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
