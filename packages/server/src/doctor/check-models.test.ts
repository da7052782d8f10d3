import type { CatalogModel, ModelChain, ModelList } from '@gemini-mcp/core';
import { expect, it } from 'vitest';
import { checkModels } from './check-gemini.ts';

const nowMs = Date.UTC(2026, 11, 1);

const modelOf = (name: string): CatalogModel => ({
  name,
  inputTokenLimit: null,
  outputTokenLimit: null,
  thinks: null,
  actions: [],
});
const listOf = (...names: readonly string[]): ModelList => ({ ok: true, models: names.map(modelOf) });

it('warns of models that Google shuts down (MODEL-02)', () => {
  expect(checkModels({ modelChain: ['gemini-2.5-pro', 'gemini-3.8-flash'], nowMs, list: null })).toEqual({
    name: 'Models',
    status: 'warn',
    found: expect.stringMatching(/^Google shut gemini-2\.5-pro down on 2026-12-01 [^.]*: since then gemini-3\.8-flash/),
    fix: 'Remove them from GEMINI_MCP_MODELS.',
  });
});

it('has nothing to say of others, where the API is not asked', () => {
  expect(checkModels({ modelChain: ['gemini-3.8-flash', 'gemini-x'], nowMs, list: null })).toEqual({
    name: 'Models',
    status: 'ok',
    found: 'gemini-3.8-flash, gemini-x',
    fix: null,
  });
});

it.each<[ModelChain, ModelList, string, string, string]>([
  [
    ['gemini-a', 'gemini-b'],
    listOf('gemini-b', 'gemini-a'),
    'ok',
    'gemini-a, gemini-b, all known to the Gemini API',
    '',
  ],
  [
    ['gemini-4-carbn', 'gemini-a', 'house'],
    listOf('gemini-a', 'gemini-4-carbon'),
    'warn',
    'the Gemini API does not know gemini-4-carbn (did you mean gemini-4-carbon?), house',
    'Set GEMINI_MCP_MODELS to models that the API knows.',
  ],
  [
    ['gemini-a'],
    { ok: false, failure: { kind: 'overloaded', excerpt: '' } },
    'warn',
    'gemini-a. The Gemini API did not return its model list: the model is overloaded',
    '',
  ],
  [
    ['gemini-a'],
    { ok: false, failure: { kind: 'authentication', problem: 'rejected', excerpt: '' } },
    'fail',
    'gemini-a. The Gemini API did not return its model list: ',
    '',
  ],
])('compares %j with what the API knows', (modelChain, list, status, found, fix) => {
  const check = checkModels({ modelChain, nowMs, list });
  expect(check.status).toBe(status);
  expect(check.found).toContain(found);
  expect(check.fix ?? '').toContain(fix);
});
