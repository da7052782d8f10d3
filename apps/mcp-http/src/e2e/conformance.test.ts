import { type ConformanceResults, failuresOf, productionScenarios, runConformance } from '@gemini-mcp/conformance';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startFixtureServer } from './fixture-server.ts';
import { HttpSetup, token } from './http-setup.ts';
import { startTokenForwarder } from './token-forwarder.ts';

/** How many active scenarios the pinned suite has: one that goes missing is to be noticed. */
const activeScenarios = 30;

/** What asks the client something in the middle of a call: without a session the answer would not find it. */
const needSession: readonly string[] = [
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
  'tools-call-elicitation',
  'tools-call-sampling',
];

/** Through a forwarder: the suite can send no token. */
async function runOn(origin: string): Promise<ConformanceResults> {
  const forwarder = await startTokenForwarder({ origin, token });
  const results = await runConformance({ url: forwarder.url }, AbortSignal.timeout(160_000));
  await forwarder.close();
  return results;
}

/** The failures of these scenarios, by their names; one without a check that succeeded counts as failed. */
function failuresAmong(results: ConformanceResults, scenarios: Iterable<string>): Readonly<Record<string, unknown>> {
  const failed: Record<string, unknown> = {};
  for (const scenario of scenarios) {
    const checks = results.get(scenario) ?? [];
    const failures = failuresOf(checks);
    if (failures.length > 0 || !checks.some(({ status }) => status === 'SUCCESS')) {
      failed[scenario] = checks;
    }
  }
  return failed;
}

describe('the official conformance suite on the built HTTP server, without fixtures', () => {
  let setup: HttpSetup;

  beforeEach(async () => {
    setup = await HttpSetup.create();
  });

  afterEach(() => setup.dispose());

  it('without sessions: what needs neither a fixture nor a session passes', async () => {
    const { origin } = await setup.start({ GEMINI_MCP_HTTP_RATE_LIMIT: '0' });
    expect(failuresAmong(await runOn(origin), productionScenarios)).toEqual({});
  });
});

describe('the official conformance suite on the app of the HTTP server, with fixtures', () => {
  it.each([
    { mode: 'with sessions', isStateful: true, excepted: [] },
    { mode: 'without sessions', isStateful: false, excepted: needSession },
  ])('$mode: all active scenarios pass', async ({ isStateful, excepted }) => {
    const server = await startFixtureServer({ isStateful });
    const results = await runOn(server.origin);
    await server.close();
    expect(results.size).toBe(activeScenarios);
    const scenarios = [...results.keys()].filter((name) => !excepted.includes(name));
    expect(failuresAmong(results, scenarios)).toEqual({});
  });
});
