import { defineConfig } from 'vitest/config';

const conditions = ['@gemini-mcp/source'];

/** Packages whose tests start no process that outlives them and change nothing of the one they run in. */
const quick = 'packages/{core,mcp,port-contracts,server}/src/**/*.test.ts';

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // Two cores: the real CLI is one busy process per test file, and more of them only starve each other.
    maxWorkers: 2,
    // A test of the built server may start the real CLI five times, and a loaded machine takes ten seconds for each.
    testTimeout: 90_000,
    hookTimeout: 120_000,
    projects: [
      // In one process after another a file takes longer to load than to run: 60 seconds instead of 14 for all of them.
      { extends: true, test: { name: 'quick', include: [quick], isolate: false } },
      {
        extends: true,
        test: {
          name: 'processes',
          include: ['scripts/*.test.mjs', '{packages,apps}/*/src/**/*.test.ts', '{demo,bench}/src/**/*.test.ts'],
          exclude: [quick, '**/node_modules/**'],
        },
      },
    ],
  },
});
