import type { JsonObject } from '../../input/tool-input.ts';

/** Lists can change with the caller's permissions, so only the same caller may reuse them. */
export function cacheFields(method: string, canChange: boolean): JsonObject {
  const ttlMs = lifetimesMs[method];
  return ttlMs === undefined ? {} : { ttlMs: canChange ? Math.min(ttlMs, changingMs) : ttlMs, cacheScope: 'private' };
}

/** A client without `subscriptions/listen` learns of a changed list after this time. */
const changingMs = 30_000;

/** How long a client may reuse a result. Conversations and jobs are resources, and change with each call. */
const lifetimesMs: Readonly<Record<string, number>> = {
  'tools/list': 3_600_000,
  'prompts/list': 3_600_000,
  'resources/templates/list': 3_600_000,
  'resources/list': 0,
  'resources/read': 0,
};
