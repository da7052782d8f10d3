// For the tests of this repository alone: neither compiled nor published.
export { createFixtureEndpoints, type FixtureEndpoints } from './conformance/fixture-endpoints.ts';
export { fixtureSurface } from './conformance/fixture-surface.ts';
export { productionScenarios } from './conformance/production-scenarios.ts';
export {
  type ConformanceCheck,
  type ConformanceOptions,
  type ConformanceResults,
  failuresOf,
  runConformance,
} from './conformance/run-conformance.ts';
export { type StdioBridge, type StdioBridgeOptions, startStdioBridge } from './conformance/stdio-bridge.ts';
