import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@gemini-mcp/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFixtureEndpoints } from './fixture-endpoints.ts';
import { fixtureSurface } from './fixture-surface.ts';
import { type HttpAnswer, type HttpBridge, startHttpBridge } from './http-bridge.ts';
import { type ConformanceResults, failuresOf, runConformance } from './run-conformance.ts';

const clock: Clock = {
  now: () => Date.now(),
  sleep: (durationMs, signal) => sleep(Math.max(0, durationMs), undefined, { signal }),
};

const { stateless, sessions } = createFixtureEndpoints({
  version: '0.0.0',
  clock,
  log: () => undefined,
  maxSessions: 100,
  idleMs: 60_000,
});

const caller = { owner: 'conformance', binding: 'conformance', surface: fixtureSurface };

const withSessions: HttpAnswer = (request, body, signal) => {
  switch (request.method) {
    case 'POST':
      return sessions.post(request, body, { ...caller, signal });
    case 'GET':
      return sessions.get(request, { ...caller, signal });
    default:
      return sessions.delete(request, { ...caller, signal });
  }
};

const withoutSessions: HttpAnswer = async (request, body, signal) =>
  request.method === 'POST'
    ? stateless.post(request, body, { ...caller, signal })
    : new Response(null, { status: 405, headers: { Allow: 'POST' } });

/** What asks the client something in the middle of a call: without a session the answer would not find it. */
const needsSession = [
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
  'tools-call-elicitation',
  'tools-call-sampling',
];

describe.each([
  ['with sessions', withSessions, []],
  ['without sessions', withoutSessions, needsSession],
])('the official conformance suite over HTTP %s', (_how, answer, excepted) => {
  let bridge: HttpBridge | undefined;
  let results: ConformanceResults = new Map();

  beforeAll(async () => {
    bridge = await startHttpBridge(answer);
    results = await runConformance({ url: bridge.url }, AbortSignal.timeout(160_000));
  }, 180_000);

  afterAll(async () => {
    await bridge?.close();
    await Promise.all([stateless.callsEnded(), sessions.callsEnded()]);
  });

  it('passes', () => {
    const failed = [...results].flatMap(([name, checks]) => (failuresOf(checks).length > 0 ? [name] : []));
    expect(failed).toEqual(excepted);
    expect(results.size).toBe(30);
  });
});
