import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Of the longest test files, by their paths. scripts/duration-reporter.mjs writes it. */
const seconds: Record<string, number> = JSON.parse(
  readFileSync(new URL('test-durations.json', import.meta.url), 'utf8'),
);

const conditions = ['@gemini-mcp/source'];

/** Packages most of whose tests start no process that outlives them and change nothing of the one they run in. */
const quick = 'adapters-node|core|gemini|mcp|port-contracts|server|upstreams';

/** These tests do: they start the CLI, servers or many programs. */
const apart = [
  ...['cli-gemini-runner', 'cli-run-*', 'compile-cache', 'fake-cli-runs', 'locate-gemini-cli', 'record-outcomes'],
  ...[
    'run-report',
    'run-sweeper*',
    'warm-*',
    'contained-*',
    'upstream-*',
    'upstreams-*',
    'find-tools',
    'marked-processes',
    'private-directory',
  ],
  ...[
    'process-identity',
    'process-group',
    'find-exposure',
    'program-path',
    'find-system-program',
    'swap-race',
    'change-swap-race',
    'change-kills',
  ],
  ...['file-record-store', 'record-kills'],
  ...['report-model-calls*', 'embedded-servers', 'embedding-scripts', 'locate-off-path', 'ways'],
  ...['git-agreement', 'keep-from-children', 'reroute-tool-calls', 'preload', 'write-whole-output'],
  ...['http-program', 'run-doctor'],
  ...[
    'command-runner*',
    'find-sandbox',
    'hostile-commands',
    'mount-race',
    'random-trees',
    'usual-commands',
    'node-executor*',
  ],
  ...['cli-conversations', 'cli-runs'],
  // It counts the timers of its process.
  'runner-over-offline-api',
].join('|');

/** Vitest knows no durations on a fresh clone and begins with the largest files, so a long one could be left to the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => {
      const isOfOneProject = one.project.name === other.project.name;
      return isOfOneProject ? recordedSeconds(other) - recordedSeconds(one) : 0;
    });
  }
}

function recordedSeconds({ moduleId, project }: TestSpecification): number {
  return seconds[relative(project.vitest.config.root, moduleId)] ?? 0;
}

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // Two cores: a test file and what it starts keep one of them busy for two thirds of its time, and wait for the rest. More of
    // them only starve each other.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // The other worker may keep the processor for seconds.
    env: { GEMINI_MCP_CONTRACT_DEADLINE_MS: '30000' },
    // A test of the built server may start the real CLI five times, and a loaded machine takes ten seconds for each.
    testTimeout: 90_000,
    // Below the limit of a test, so that the error says what did not come.
    expect: { poll: { timeout: 60_000 } },
    hookTimeout: 120_000,
    projects: [
      // In its own process each file would load longer than it runs: a third of a second, more if it loads packages.
      {
        extends: true,
        test: {
          name: 'quick',
          include: [
            `packages/@(${quick})/src/**/!(${apart}|*.nightly).test.ts`,
            'apps/mcp-http/src/*.test.ts',
            `apps/mcp-http/src/!(e2e)/**/!(${apart}|*.nightly).test.ts`,
          ],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'processes',
          // No `exclude` here: it would replace the one on the command line.
          include: [
            '@(scripts|release)/!(*.nightly).test.mjs',
            `packages/!(${quick})/src/**/!(*.nightly).test.ts`,
            `@(packages|apps)/@(${quick}|mcp-http)/src/**/@(${apart}).test.ts`,
            'apps/mcp-stdio/src/**/!(*.nightly).test.ts',
            'apps/*/src/e2e/**/!(*.nightly).test.ts',
            '{demo,bench,examples}/src/**/!(*.nightly).test.ts',
          ],
        },
      },
      // What takes long and tells a story that a shorter test tells too, in more ways or at greater length.
      { extends: true, test: { name: 'nightly', include: ['**/*.nightly.test.{ts,mjs}'] } },
    ],
  },
});
