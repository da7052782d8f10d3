// `npm run test:nightly`: the tests that take too long for each change. Ends with the times, the failures, and the line `N
// passed, N failed`; a step counts as one.
import { reportOutcome } from './describe-outcome.mjs';
import { hasNode24, runTestsOnNode24 } from './node24.mjs';
import { prepare, runGate } from './run-gate.mjs';
import { run } from './run-step.mjs';
import { runTests } from './run-tests.mjs';

/** `npm test` has shorter lengths. */
const lengths = {
  GEMINI_MCP_KILL_ROUNDS: '50',
  GEMINI_MCP_RECORD_KILLS: '1000',
  GEMINI_MCP_EXECUTOR_KILLS: '50',
  GEMINI_MCP_SWAP_SECONDS: '60',
  GEMINI_MCP_JOB_SECONDS: '61',
  GEMINI_MCP_CALL_ROUNDS: '500',
  GEMINI_MCP_ALL_WAYS: '1',
};

/** The test files that read one of them, and those that `npm test` may leave out. */
const longTests = [
  ...[
    '.nightly.test',
    'gemini-cli/',
    'inside-the-cli/',
    'model-tools/cli-runs',
    'e2e/chat',
    'e2e/gemini-query',
    'e2e/google-search',
    'embedding-scripts',
    'kills',
    'swap',
    'lifecycle',
    'long-work',
    'two-principals',
    'warm-processes',
    'upstream-servers-end',
    'system-shortages',
  ],
  ...[
    'command-runner-limits',
    'contained-server-processes',
    'node-executor-hostile',
    'hostile-commands.test',
    'packed-',
  ],
];

const programs = [
  ['MCP Inspector', ['scripts/inspector.mjs']],
  ['mutants', ['scripts/mutants.mjs']],
  ['soak', ['--expose-gc', 'bench/dist/soak/main.js']],
  ['random commands', ['bench/dist/fuzz-commands/main.js']],
  ['attack by races', ['scripts/attack.mjs', 'race']],
  ['attack by random trees', ['scripts/attack.mjs', 'trees']],
];

const gates = await prepare();
const runs = [];
if (gates.every(({ passed }) => passed)) {
  console.log('\n== long tests');
  runs.push(await runTests({ stage: 'long tests', environment: lengths, args: longTests }));
  if (hasNode24) {
    console.log('\n== tests on Node 24');
    runs.push(await runTestsOnNode24());
  }
  for (const [name, args] of programs) {
    gates.push(await runGate(name, () => run(process.execPath, args)));
  }
}
process.exit(reportOutcome({ gates, runs }));
