import { ApiModelCatalog } from '@gemini-mcp/adapters-api';
import type { Clock, ModelCatalog } from '@gemini-mcp/core';
import { KnownModels } from '@gemini-mcp/core/internal';
import type { ApiAccess } from '@gemini-mcp/gemini/internal';

/** The list of models of the Gemini API; null where it is asked with no key of that API. */
export function createModelCatalog(api: ApiAccess | null, clock: Clock): ModelCatalog | null {
  if (api?.login?.type !== 'gemini-key') {
    return null;
  }
  const { login, geminiBaseUrl, proxies } = api;
  return new ApiModelCatalog({ login, clock, geminiBaseUrl, proxies });
}

/** The same, kept for a day. */
export function createKnownModels(api: ApiAccess | null, clock: Clock): KnownModels | undefined {
  const catalog = createModelCatalog(api, clock);
  return catalog === null ? undefined : new KnownModels({ clock, catalog });
}
