import {
  type ConformanceResults,
  leftOutChecks,
  problemsOf,
  type Revision,
  requiredScenarios,
  runConformance,
  scenariosWithoutFixtures,
} from '@gemini-mcp/conformance';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startFixtureServer } from './fixture-server.ts';
import { HttpSetup, token } from './http-setup.ts';
import { startTokenForwarder } from './token-forwarder.ts';

const revisions: readonly Revision[] = ['2025-11-25', '2026-07-28'];

/** Scenarios that ask the client during a call, whose answer reaches no call without a session; and sessions themselves. */
const needSession: readonly string[] = [
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
  'server-session-lifecycle',
  'tools-call-elicitation',
  'tools-call-sampling',
];

/** Through a forwarder, because the suite cannot send tokens. */
async function runOn(origin: string, revision: Revision): Promise<ConformanceResults> {
  const forwarder = await startTokenForwarder({ origin, token });
  const results = await runConformance({ url: forwarder.url, revision }, AbortSignal.timeout(160_000));
  await forwarder.close();
  return results;
}

describe('the official conformance suite on the built HTTP server, without fixtures', () => {
  let setup: HttpSetup;

  beforeEach(async () => {
    setup = await HttpSetup.create();
  });

  afterEach(() => setup.dispose());

  it.each(revisions)('%s: scenarios without fixtures or sessions pass', async (revision) => {
    const { origin } = await setup.start({ GEMINI_MCP_HTTP_RATE_LIMIT: '0' });
    expect(problemsOf(await runOn(origin, revision), scenariosWithoutFixtures[revision])).toEqual({});
  });
});

describe('the official conformance suite on the app of the HTTP server, with fixtures', () => {
  it.each([
    { revision: '2025-11-25', mode: 'with sessions', isStateful: true, excepted: [] },
    { revision: '2025-11-25', mode: 'without sessions', isStateful: false, excepted: needSession },
    { revision: '2026-07-28', mode: 'without sessions', isStateful: false, excepted: [] },
  ] as const)('$revision $mode: all required scenarios pass', async ({ revision, isStateful, excepted }) => {
    const server = await startFixtureServer({ isStateful });
    const results = await runOn(server.origin, revision);
    await server.close();
    const required = requiredScenarios[revision];
    expect([...results.keys()]).toEqual(Object.keys(required).sort());
    const left: readonly string[] = excepted;
    const scenarios = Object.keys(required).filter((name) => required[name] === 'passes' && !left.includes(name));
    expect(problemsOf(results, scenarios, leftOutChecks)).toEqual({});
  });
});
