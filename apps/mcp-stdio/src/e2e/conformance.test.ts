import { failuresOf, productionScenarios, runConformance, startStdioBridge } from '@gemini-mcp/conformance';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serverPath } from './server-process.ts';
import { ServerSetup } from './server-setup.ts';

describe('the official conformance suite on the built server, without fixtures', () => {
  let setup: ServerSetup;
  let bridge: Awaited<ReturnType<typeof startStdioBridge>>;
  let results: Awaited<ReturnType<typeof runConformance>>;

  beforeAll(async () => {
    setup = await ServerSetup.create();
    bridge = await startStdioBridge({ command: process.execPath, args: [serverPath], env: setup.environment() });
    results = await runConformance({ url: bridge.url }, AbortSignal.timeout(160_000));
  }, 180_000);

  afterAll(async () => {
    await bridge.close();
    await setup.dispose();
  });

  it.each(productionScenarios)('%s passes', (scenario) => {
    const checks = results.get(scenario) ?? [];
    expect(failuresOf(checks)).toEqual([]);
    expect(checks.length).toBeGreaterThan(0);
  });
});
