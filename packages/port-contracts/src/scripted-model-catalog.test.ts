import type { CatalogModel, ModelList } from '@gemini-mcp/core';
import { ScriptedModelCatalog } from '@gemini-mcp/core/testing';
import { type CatalogSituation, describeModelCatalogContract } from './model-catalog.contract.ts';

const modelOf = (name: string): CatalogModel => ({
  name,
  inputTokenLimit: null,
  outputTokenLimit: null,
  thinks: null,
  actions: [],
});

function answerTo(situation: CatalogSituation): ModelList | Promise<ModelList> {
  switch (situation.type) {
    case 'tells':
      return { ok: true, models: situation.names.map(modelOf) };
    case 'fails':
      return { ok: false, failure: { kind: 'overloaded', excerpt: '' } };
    case 'hangs':
      return new Promise(() => undefined);
  }
}

describeModelCatalogContract({
  name: 'ScriptedModelCatalog',
  create: async (situation) => ({
    catalog: new ScriptedModelCatalog(() => answerTo(situation)),
    secret: '',
    whenAsked: async () => undefined,
    whenLeft: async () => undefined,
    close: async () => undefined,
  }),
});
