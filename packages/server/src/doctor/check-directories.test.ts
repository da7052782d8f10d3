import { expect, it } from 'vitest';
import { readConfiguration } from '../settings/read-configuration.ts';

import { checkDirectories } from './diagnose.ts';

const checksIn = (currentDirectory: string, environment: Record<string, string> = {}) =>
  checkDirectories(
    readConfiguration({ environment: { HOME: '/home/ada', ...environment }, currentDirectory }).configuration,
    {
      findReadProblem: () => Promise.resolve(null),
    },
  );

it.each(['/', '/home', '/home/ada'])(
  'warns that nothing of %s can be read, and says what to set (ROOT-02)',
  async (path) => {
    expect(await checksIn(path)).toEqual([
      {
        name: 'Working directory',
        status: 'warn',
        found: expect.stringContaining(`no files can be read, because the server was started in ${path}, which `),
        fix: expect.stringMatching(/GEMINI_MCP_ROOTS.*cwd/),
      },
    ]);
  },
);

it('shows a working directory that is a root', async () => {
  expect(await checksIn('/project')).toEqual([
    { name: 'Working directory', status: 'ok', found: '/project', fix: null },
  ]);
});
