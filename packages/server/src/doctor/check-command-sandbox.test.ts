import type { SandboxState } from '@gemini-mcp/core';
import { describe, expect, it } from 'vitest';
import type { Check } from './check.ts';

import { checkCommandSandbox } from './diagnose.ts';

function check(state: SandboxState, readable: readonly string[], toolPaths: readonly string[] = []): Promise<Check> {
  const probes = {
    findCommandSandbox: async () => state,
    findReadProblem: async (path: string) => (readable.includes(path) ? null : 'ENOENT'),
  };
  return checkCommandSandbox({ toolPaths, userDirectory: '/home/ada/.gemini' }, probes, new AbortController().signal);
}

const bubblewrap = { available: true, name: 'bubblewrap' } as const;

describe('checkCommandSandbox', () => {
  it('finds nothing to do where commands can be walled in', async () => {
    expect(await check(bubblewrap, [])).toEqual({
      name: 'Command sandbox',
      status: 'ok',
      found: 'bubblewrap',
      fix: null,
    });
  });

  it('names the tools that commands find, and the missing ones', async () => {
    const found = await check(bubblewrap, ['/home/ada/.cargo', '/home/ada/.pyenv'], ['/home/ada/.cargo']);
    expect(found).toMatchObject({
      status: 'ok',
      found:
        'bubblewrap, with /home/ada/.cargo; commands cannot use these unless GEMINI_MCP_TOOL_PATHS names them: /home/ada/.pyenv',
    });
  });

  it('warns of tools that are not there', async () => {
    expect(await check(bubblewrap, [], ['/opt/x'])).toMatchObject({
      status: 'warn',
      found: 'bubblewrap; cannot read /opt/x',
    });
  });

  it.each([
    ['missing', /not installed/],
    ['blocked-by-apparmor', /AppArmor/],
    ['blocked-by-seccomp', /system call filter/],
    ['broken', /does not work/],
    ['unsupported-system', /not supported/],
  ] as const)('distinguishes %s, with the remedy', async (reason, found) => {
    const result = await check({ available: false, reason, detail: 'Do this.' }, []);
    expect(result).toMatchObject({ status: 'warn', found: expect.stringMatching(found) });
    expect(result.fix).toMatch(/^Do this\. Until then/);
  });
});
