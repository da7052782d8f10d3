import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { atMost, type Benchmark } from '../benchmark.ts';
import { interleave } from '../interleave.ts';
import { serverPath } from '../project-paths.ts';
import { Series } from '../series.ts';
import { serverEnvironment } from '../server-environment.ts';
import { keepCompiledCode, timeStart } from '../start-up.ts';
import type { Workbench } from '../workbench.ts';
import { plainProgram } from './plain-server.ts';

const servers = 20;

/** From the start of the process to the answer to `initialize`, with and without other servers in the settings. */
export const hubStart: Benchmark = {
  name: 'hub-start',
  defaultRounds: 31,
  run: async (workbench, rounds) => {
    const [without, withServers] = [await makeHome(workbench, 0), await makeHome(workbench, servers)];
    const [bare, ours] = [new Series(), new Series()];
    const time = (home: string): Promise<number> => {
      const environment = serverEnvironment(home);
      return timeStart(workbench, { file: process.execPath, arguments: [serverPath], cwd: home, environment });
    };
    await interleave(rounds, [
      async () => [{ series: bare, figure: await time(without) }],
      async () => [{ series: ours, figure: await time(withServers) }],
    ]);
    return [
      {
        what: `Start to \`initialize\` answered, with ${servers} servers in the settings; against none`,
        unit: 'ms',
        baseline: bare.median,
        ours: ours.median,
        target: atMost(1.05),
      },
    ];
  },
};

async function makeHome(workbench: Workbench, count: number): Promise<string> {
  const home = await workbench.makeDirectory();
  const directory = join(home, '.config', 'gemini-mcp-server');
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const mcpServers = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`server-${index}`, plainProgram(30)]),
  );
  await writeFile(join(directory, 'settings.json'), JSON.stringify({ mcpServers }), { mode: 0o600 });
  await keepCompiledCode(workbench, home, serverEnvironment(home));
  return home;
}
