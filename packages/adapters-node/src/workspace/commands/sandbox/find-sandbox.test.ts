import { chmod, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SandboxState } from '@gemini-mcp/core';
import { makeSafeDirectory } from '@gemini-mcp/fake-gemini';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findCommandSandbox } from './find-sandbox.ts';

let programs: string;

beforeEach(async () => {
  programs = await makeSafeDirectory();
  for (const name of ['prlimit', 'mkfifo']) {
    await symlink(`/usr/bin/${name}`, join(programs, name));
  }
});

afterEach(() => rm(programs, { recursive: true }));

/** A program in place of bubblewrap that answers --help and prints a message instead of working. */
async function putBubblewrap(words: string, exitCode: number): Promise<void> {
  const path = join(programs, 'bwrap');
  await writeFile(path, `#!/bin/sh\n[ "$1" = --help ] && exit 0\necho "${words}" >&2\nexit ${exitCode}\n`);
  await chmod(path, 0o755);
}

function find(platform: NodeJS.Platform = 'linux', architecture = process.arch): Promise<SandboxState> {
  return findCommandSandbox(new AbortController().signal, { directories: [programs], platform, architecture });
}

describe.runIf(process.platform === 'linux')('the search for a sandbox', () => {
  it('finds a working bubblewrap', async () => {
    await putBubblewrap('', 0);
    expect(await find()).toEqual({ available: true, name: 'bubblewrap' });
  });

  it('names the package of a missing program', async () => {
    expect(await find()).toMatchObject({
      available: false,
      reason: 'missing',
      detail: expect.stringContaining('sudo apt install bubblewrap'),
    });
  });

  it.each([
    ['bwrap: setting up uid map: Permission denied', 'blocked-by-apparmor', /bwrap-userns-restrict/],
    ['bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted', 'blocked-by-apparmor', /bwrap-userns-restrict/],
    ['bwrap: Creating new namespace failed: Operation not permitted', 'blocked-by-seccomp', /seccomp=unconfined/],
    ['bwrap: No permissions to create new namespace, likely because …', 'blocked-by-seccomp', /seccomp=unconfined/],
    ['bwrap: Creating new namespace failed: No space left on device', 'broken', /max_user_namespaces/],
    ['bwrap: prctl(PR_SET_SECCOMP): Invalid argument', 'broken', /emulation by QEMU/],
    ['Illegal instruction', 'broken', /Illegal instruction/],
    ['', 'broken', /without a message/],
  ])('%s: %s', async (words, reason, detail) => {
    await putBubblewrap(words, 1);
    expect(await find()).toMatchObject({ available: false, reason, detail: expect.stringMatching(detail) });
  });

  it('HOST-H5: rejects a sandbox that can write a kernel setting, or filters no calls', async () => {
    // Runs its arguments without any sandbox.
    await putBubblewrap('"; while [ "$1" != -- ]; do shift; done; shift; exec "$@"; echo "', 1);
    const detail = process.getuid?.() === 0 ? /as an ordinary user instead of root/ : /CONFIG_SECCOMP_FILTER/;
    expect(await find()).toMatchObject({ available: false, reason: 'broken', detail: expect.stringMatching(detail) });
  });

  it('has no filter for an architecture with unknown system calls', async () => {
    await putBubblewrap('', 0);
    expect(await find('linux', 'riscv64')).toMatchObject({
      reason: 'unsupported-system',
      detail: expect.stringContaining('riscv64'),
    });
  });

  it("HOST-H5: never leads root in a container to a sandbox that can configure the host's kernel", async () => {
    await putBubblewrap('bwrap: Creating new namespace failed: Operation not permitted', 1);
    expect(await find()).toMatchObject({
      detail: expect.stringContaining('--user 1000:1000 --security-opt seccomp=unconfined'),
    });
  });

  it("shows no control characters of a program's output", async () => {
    await putBubblewrap('\u001b[31mred\u0007', 1);
    expect(JSON.stringify(await find())).not.toMatch(/\\u001b|\\u0007/);
  });

  it.each(['win32', 'freebsd'] as const)('has no filter for %s', async (platform) => {
    await putBubblewrap('', 0);
    expect(await find(platform)).toMatchObject({ available: false, reason: 'unsupported-system' });
  });
});
