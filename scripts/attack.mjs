// Attacks commands longer than the tests do: `npm run attack -- race --commands 1000`, or `trees --trees 200 --lines 50 --seed 1
// --minutes 60`. As root it attacks as an ordinary user too. Ends with exit code 1 if something got out.
import { parseArgs } from 'node:util';
import { run } from './run-step.mjs';

const variables = {
  commands: 'GEMINI_MCP_RACE_COMMANDS',
  trees: 'GEMINI_MCP_ATTACK_TREES',
  lines: 'GEMINI_MCP_ATTACK_LINES',
  seed: 'GEMINI_MCP_ATTACK_SEED',
  minutes: 'GEMINI_MCP_ATTACK_MINUTES',
};
const full = { commands: '1000', trees: '200', lines: '50', seed: '1', minutes: '120' };
const files = { race: 'mount-race.test.ts', trees: 'random-trees.test.ts' };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: Object.fromEntries(Object.keys(full).map((name) => [name, { type: 'string', default: full[name] }])),
});
const file = files[positionals[0]];
if (file === undefined) {
  console.error(
    'Usage: npm run attack -- race|trees [--commands <n>] [--trees <n>] [--lines <n>] [--seed <n>] [--minutes <n>]',
  );
  process.exit(1);
}
const settings = Object.entries(variables).map(([name, variable]) => [variable, values[name]]);
process.exitCode = await run(
  process.execPath,
  ['scripts/run-installed.mjs', 'vitest', 'run', `packages/server/src/hostile-commands/${file}`],
  Object.fromEntries(settings),
);
