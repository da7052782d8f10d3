export { createFixtureEndpoints, type FixtureEndpoints } from './fixtures/fixture-endpoints.ts';
export { fixtureSurface } from './fixtures/fixture-surface.ts';
export { leftOutChecks, requiredScenarios, scenariosWithoutFixtures } from './required-scenarios.ts';
export {
  type ConformanceCheck,
  type ConformanceOptions,
  type ConformanceResults,
  problemsOf,
  type Revision,
  runConformance,
} from './run-conformance.ts';
