import { expect, it } from 'vitest';
import { checkModels } from './check-models.ts';

const dayMs = Date.UTC(2026, 11, 1);

it('warns of models that Google shuts down (MODEL-02)', () => {
  expect(checkModels(['gemini-2.5-pro', 'gemini-3.8-flash'], dayMs)).toEqual({
    name: 'Models',
    status: 'warn',
    found: expect.stringMatching(/^Google shut gemini-2\.5-pro down on 2026-12-01 [^.]*: since then gemini-3\.8-flash/),
    fix: 'Take them out of GEMINI_MCP_MODELS.',
  });
});

it('has nothing to say of others', () => {
  expect(checkModels(['gemini-3.8-flash', 'gemini-x'], dayMs)).toEqual({
    name: 'Models',
    status: 'ok',
    found: 'gemini-3.8-flash, gemini-x',
    fix: null,
  });
});
