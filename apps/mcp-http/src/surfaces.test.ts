import type { Surface } from '@gemini-mcp/mcp';
import { scopes } from '@gemini-mcp/mcp/internal/declarations';
import type { Reach } from '@gemini-mcp/server';
import { expect, it } from 'vitest';
import type { Principal } from './access/principal.ts';
import { bindingOf, Surfaces } from './surfaces.ts';

const alice: Principal = { name: 'alice', owner: 'owner-of-alice', scopes: new Set(scopes), roots: ['/a', '/b'] };
const bob: Principal = { ...alice, name: 'bob', owner: 'owner-of-bob' };
const guest: Principal = { name: 'guest', owner: 'owner-of-guest', scopes: new Set(['gemini:chat']), roots: ['/c'] };
const visitor: Principal = { ...guest, name: 'visitor', owner: 'owner-of-visitor', roots: null };

const refuse = (): never => {
  throw new Error('Not to be asked');
};

it('creates one surface for each reach, on first use', () => {
  const composed: Reach[] = [];
  const surfaceOf = (reach: Reach): Surface => {
    composed.push(reach);
    return { tools: [], prompts: [], resources: [] };
  };
  const surfaces = new Surfaces({ surfaceOf, offeredTo: refuse });
  expect(composed).toEqual([]);
  expect(surfaces.of(alice)).toBe(surfaces.of(bob));
  expect(surfaces.of(guest)).toBe(surfaces.of(visitor));
  expect(surfaces.of({ ...alice, roots: [] })).toBe(surfaces.of(visitor));
  expect(surfaces.of(guest)).not.toBe(surfaces.of(alice));
  expect(composed).toEqual([
    { roots: ['/a', '/b'], mayReadFiles: true, noFilesText: null, allowsYolo: false },
    { roots: null, mayReadFiles: false, noFilesText: null, allowsYolo: true },
  ]);
});

it.each([
  ['another principal of the same reach', bob],
  ['the same principal without files', { ...alice, scopes: new Set(['gemini:chat'] as const) }],
  ['the same principal without other servers', { ...alice, scopes: new Set(['gemini:files'] as const) }],
  ['the same principal with other roots', { ...alice, roots: ['/a'] }],
])('binds a session to only its principal: %s', (_, other) => {
  expect(bindingOf(other)).not.toBe(bindingOf(alice));
  expect(bindingOf({ ...alice })).toBe(bindingOf(alice));
});

it('offers each principal its own servers, and none without the scope', async () => {
  const ours = { tools: [], prompts: [], resources: [] };
  const asked: string[] = [];
  const surfaces = new Surfaces({
    surfaceOf: () => ours,
    offeredTo: (owner) => {
      asked.push(owner);
      return { over: () => ({ current: async () => ({ ...ours }) }), toolOf: refuse, readView: refuse };
    },
  });
  expect(surfaces.sourceOf(guest)).toBe(surfaces.of(guest));
  expect(asked).toEqual([]);
  expect(surfaces.sourceOf(alice)).toHaveProperty('current');
  expect(surfaces.sourceOf(bob)).toHaveProperty('current');
  expect(asked).toEqual(['owner-of-alice', 'owner-of-bob']);
});
