import { testUsers } from '@gemini-mcp/fake-gemini';
import { expect, it } from 'vitest';
import { runAttack } from './testing/run-attack.ts';

/** `npm run attack -- trees --trees 200 --lines 50 --seed 1` is the full proof, as root too, and tells its figures. */
const asked = process.env['GEMINI_MCP_ATTACK_TREES'];
const task = {
  trees: Number(asked ?? 3),
  lines: Number(process.env['GEMINI_MCP_ATTACK_LINES'] ?? 10),
  seed: Number(process.env['GEMINI_MCP_ATTACK_SEED'] ?? 1),
  minutes: Number(process.env['GEMINI_MCP_ATTACK_MINUTES'] ?? 10),
};

const users = asked === undefined ? testUsers().slice(-1) : testUsers();

it.runIf(process.platform === 'linux').each(users)(
  'HOST-H4: random lines of $name change nothing outside and nothing protected, and the account lists all changes',
  { timeout: (task.minutes + 10) * 60_000 },
  async (user) => {
    const report = await runAttack('random-trees-program', user, task);
    process.stdout.write(asked === undefined ? '' : `${user.name}: ${JSON.stringify(report)}\n`);
    expect(report).toMatchObject({ faults: [], ...(asked === undefined && { lines: task.trees * task.lines }) });
  },
);
