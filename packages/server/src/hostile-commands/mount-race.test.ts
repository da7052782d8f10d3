import { testUsers } from '@gemini-mcp/fake-gemini';
import { expect, it } from 'vitest';
import { runAttack } from './testing/run-attack.ts';

/** `npm run attack -- race --commands 1000` is the full proof, as root too, and tells its figures. */
const asked = process.env['GEMINI_MCP_RACE_COMMANDS'];
const commands = Number(asked ?? 20);

const users = asked === undefined ? testUsers().slice(-1) : testUsers();

it.runIf(process.platform === 'linux').each(users)(
  'HOST-H1: a command of $name is shown nothing of outside while others exchange names',
  { timeout: 3_600_000 },
  async (user) => {
    const report = await runAttack('mount-race-program', user, { commands });
    process.stdout.write(asked === undefined ? '' : `${user.name}: ${JSON.stringify(report)}\n`);
    expect(report).toMatchObject({ reads: [], changes: [] });
  },
);
