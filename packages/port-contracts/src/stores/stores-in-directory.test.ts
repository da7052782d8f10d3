import { SessionRecords, storedSessionBounds } from '@gemini-mcp/core';
import { FakeClock } from '@gemini-mcp/core/testing';
import { expect, it } from 'vitest';
import { type SessionStoreHarness, sessionOf } from '../session-store/session-store-harness.ts';
import { declaredHook } from './store-features.ts';
import { sessionStoreInTemporaryDirectory } from './stores-in-directory.ts';

const place = { clock: new FakeClock(), retentionMs: null, bounds: storedSessionBounds };

it('a declared feature without its hook fails, with the name of the hook', () => {
  const store = new SessionRecords();
  const harness: SessionStoreHarness = { store, reopen: () => store, dispose: async () => undefined };
  expect(() => declaredHook(harness, 'damage', 'laterFormats')).toThrow(
    'features.laterFormats is declared, and the harness has no damage(): add it, or declare false',
  );
});

it('a store in a directory without its files fails when a test damages a record', async () => {
  const { create } = sessionStoreInTemporaryDirectory(() => new SessionRecords());
  const harness = await create(place);
  await harness.store.save(sessionOf(), 0, new AbortController().signal);
  await expect(harness.damage?.(sessionOf(), 'truncated')).rejects.toThrow(
    /^no file below .* has "0f8fad5b.* in its path or its text$/,
  );
  await harness.dispose();
});

it('later formats are declared if a record of one is given', () => {
  const createStore = (): SessionRecords => new SessionRecords();
  expect(sessionStoreInTemporaryDirectory(createStore).features.laterFormats).toBe(false);
  expect(sessionStoreInTemporaryDirectory(createStore, { laterRecord: '{}' }).features.laterFormats).toBe(true);
});
