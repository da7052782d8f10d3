import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const conditions = ['@gemini-mcp/source'];

/** Runs the suites against wrong adapters: tests here are meant to fail. `npm run mutants` counts them. */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    root: fileURLToPath(new URL('../../..', import.meta.url)),
    include: ['packages/port-contracts/mutants/*.mutants.ts'],
    maxWorkers: 2,
    // A mutant that gives up in the middle may leave a rejection that is not awaited.
    dangerouslyIgnoreUnhandledErrors: true,
  },
});
