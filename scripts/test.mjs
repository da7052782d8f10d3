// `npm test`: every gate and every test but those of the night; as root, a part of the tests once more as an ordinary user.
// Ends with the times, the failures, and the line `N passed, N failed`; a gate counts as one. Options go to vitest.
import { listChangedFiles } from './changed-files.mjs';
import { reportOutcome } from './describe-outcome.mjs';
import { isRoot, runTestsAsOrdinaryUser } from './ordinary-user.mjs';
import { prepare, runGateAside } from './run-gate.mjs';
import { scriptCommand } from './run-step.mjs';
import { runTests } from './run-tests.mjs';

const filters = process.argv.slice(2);

/**
 * Tests that take minutes and can fail only if one of their dependencies has changed. Without Git's list of changes they
 * run, and so they do every night.
 */
const slowParts = [
  {
    tests: 'scripts/mutants.test.mjs',
    // Contracts, ports, and the adapters in memory that the mutants change.
    dependsOn:
      /^(packages\/port-contracts\/|packages\/core\/src\/((ports|testing)\/|.*in-memory-)|scripts\/.*mutants|docs\/mutants)/,
  },
  {
    tests: 'scripts/packed-*.test.mjs',
    // Manifests, entries, and how packages are packed.
    dependsOn:
      /^(scripts\/(packed|published|prepack)|release\/|plugins\/|packages\/[^/]+\/(package\.json|README\.md|src\/[^/]+\.ts)|docs\/exports|pnpm-)/,
  },
  {
    tests: 'packages/adapters-node/src/gemini-cli/**',
    dependsOn: /^(packages\/(adapters-node|core|fake-gemini|port-contracts)\/|pnpm-lock\.yaml|vitest\.config)/,
  },
];

/** They write nothing that another reads, so they run side by side. Their programs are there after the install. */
const listChecks = () => [
  ['types', scriptCommand('typecheck')],
  ['lint', scriptCommand('lint')],
  ['boundaries', scriptCommand('boundaries')],
  ['unused code', scriptCommand('unused')],
];

const gates = await prepare();
const runs = [];
if (gates.every(({ passed }) => passed)) {
  gates.push(...(await Promise.all(listChecks().map(([name, command]) => runGateAside(name, command)))));
  console.log('\n== tests');
  runs.push(
    await runTests({
      args: filters.length > 0 ? filters : ['--project=quick', '--project=processes', ...leaveOutUnchanged()],
    }),
  );
  if (isRoot && filters.length === 0) {
    console.log('\n== tests as an ordinary user');
    runs.push(...(await runTestsAsOrdinaryUser()));
  }
}
process.exit(reportOutcome({ gates, runs }));

function leaveOutUnchanged() {
  const changed = listChangedFiles();
  const leftOut =
    changed === null ? [] : slowParts.filter(({ dependsOn }) => !changed.some((path) => dependsOn.test(path)));
  return leftOut.map(({ tests }) => {
    console.log(`Left out, as nothing has changed that they depend on: ${tests}`);
    return `--exclude=${tests}`;
  });
}
