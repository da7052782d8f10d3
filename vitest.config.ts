import { defineConfig } from 'vitest/config';

const conditions = ['@gemini-mcp/source'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['scripts/*.test.mjs', '{packages,apps}/*/src/**/*.test.ts', '{demo,bench}/src/**/*.test.ts'],
    // Two cores: the real CLI is one busy process per test file, and more of them only starve each other.
    maxWorkers: 2,
    // A test of the built server may start the real CLI five times, and a loaded machine takes ten seconds for each.
    testTimeout: 90_000,
    hookTimeout: 120_000,
  },
});
