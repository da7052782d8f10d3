import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const conditions = ['@gemini-mcp/source'];

/** Runs the suites against mutants: tests here should fail. `npm run mutants` counts them. */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    root: fileURLToPath(new URL('../../..', import.meta.url)),
    include: ['packages/port-contracts/mutants/*.mutants.ts'],
    maxWorkers: 2,
    // A mutant that stops halfway may leave an unhandled rejection.
    dangerouslyIgnoreUnhandledErrors: true,
  },
});
