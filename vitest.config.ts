import { defineConfig } from 'vitest/config';

const conditions = ['@gemini-mcp/source'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['scripts/*.test.mjs', '{packages,apps}/*/src/**/*.test.ts', '{demo,bench}/src/**/*.test.ts'],
    // Two cores: the real CLI is one busy process per test file, and more of them only starve each other.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
