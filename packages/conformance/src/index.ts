export { createFixtureEndpoints, type FixtureEndpoints } from './fixture-endpoints.ts';
export { fixtureSurface } from './fixture-surface.ts';
export { productionScenarios } from './production-scenarios.ts';
export {
  type ConformanceCheck,
  type ConformanceOptions,
  type ConformanceResults,
  failuresOf,
  runConformance,
} from './run-conformance.ts';
