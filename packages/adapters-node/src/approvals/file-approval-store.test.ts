import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApprovalToKeep } from '@gemini-mcp/core';
import { describeApprovalStoreContract } from '@gemini-mcp/port-contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileApprovalStore, type UnusableApproval } from './file-approval-store.ts';
import { damageApproval, editApproval } from './testing/damage-approval.ts';

const signal = new AbortController().signal;
const install: ApprovalToKeep = {
  directory: '/home/user/project',
  allows: { type: 'command', prefix: ['npm', 'install'], network: false },
  allowedAtMs: 1_700_000_000_000,
};

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'approvals-'));
});

afterEach(() => rm(directory, { recursive: true }));

describeApprovalStoreContract({
  name: 'FileApprovalStore',
  features: { failures: true, damage: true, laterFormats: true },
  create: async () => {
    const own = await mkdtemp(join(tmpdir(), 'approvals-'));
    const place = join(own, 'state');
    return {
      store: new FileApprovalStore({ directory: place }),
      reopen: () => new FileApprovalStore({ directory: place }),
      breakWriting: async () => {
        const files = join(place, 'approvals');
        await chmod(files, 0o755);
        return () => chmod(files, 0o700);
      },
      damage: ({ id }, damage) => damageApproval(join(place, 'approvals', `${id}.json`), damage),
      edit: ({ id }, prefix) => editApproval(join(place, 'approvals', `${id}.json`), prefix),
      dispose: () => rm(own, { recursive: true }),
    };
  },
});

describe('approvals on the disk', () => {
  it('are private files that a person can read, and nothing else stays', async () => {
    const store = new FileApprovalStore({ directory });
    await store.add(install, signal);
    await store.add(install, signal);
    const [kept] = await store.list(signal);
    expect(await readdir(join(directory, 'approvals'))).toEqual([`${kept?.id}.json`]);
    const path = join(directory, 'approvals', `${kept?.id}.json`);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(directory, 'approvals'))).mode & 0o777).toBe(0o700);
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ format: 1, ...install });
  });

  it('have ids of 20 hexadecimal digits, the same for the same on every machine', async () => {
    const store = new FileApprovalStore({ directory });
    await store.add(install, signal);
    expect((await store.list(signal)).map(({ id }) => id)).toEqual(['cb0d9352d0f0a4d30c14']);
  });

  it.each([
    ['under a name of its own', 'my-rule.json', {}],
    [
      'for an interpreter, under the id of another',
      null,
      { allows: { type: 'command', prefix: ['node'], network: true } },
    ],
    ['for every directory, under the id of another', null, { directory: null }],
    ['with more fields', null, { more: true }],
  ])('CONFIG: allow nothing when they were written by hand %s, which is told once', async (_, name, changes) => {
    const unusable: UnusableApproval[] = [];
    const store = new FileApprovalStore({ directory, onUnusable: (told) => unusable.push(told) });
    await store.add(install, signal);
    const [kept] = await store.list(signal);
    const path = join(directory, 'approvals', name ?? `${kept?.id}.json`);
    await rm(join(directory, 'approvals', `${kept?.id}.json`));
    await writeFile(path, JSON.stringify({ format: 1, ...install, ...changes }), { mode: 0o600 });
    expect(await store.list(signal)).toEqual([]);
    expect(await store.list(signal)).toEqual([]);
    expect(unusable).toEqual([{ path, reason: expect.stringMatching(/changed by hand|no approval/) }]);
  });

  it('CONFIG: allow nothing through a link into a project', async () => {
    const store = new FileApprovalStore({ directory });
    await store.add(install, signal);
    const [kept] = await store.list(signal);
    const path = join(directory, 'approvals', `${kept?.id}.json`);
    const text = await readFile(path);
    await mkdir(join(directory, 'project'));
    await writeFile(join(directory, 'project', 'rule.json'), text, { mode: 0o600 });
    await rm(path);
    await symlink(join(directory, 'project', 'rule.json'), path);
    expect(await store.list(signal)).toEqual([]);
  });

  it.skipIf(process.platform === 'win32').each([['approvals'], ['file']])(
    'CONFIG: allow nothing where other users may write: %s',
    async (which) => {
      const unusable: UnusableApproval[] = [];
      const store = new FileApprovalStore({ directory, onUnusable: (told) => unusable.push(told) });
      await store.add(install, signal);
      const [kept] = await store.list(signal);
      const files = join(directory, 'approvals');
      await chmod(which === 'file' ? join(files, `${kept?.id}.json`) : files, 0o777);
      expect(await store.list(signal)).toEqual([]);
      expect(unusable).toMatchObject([{ reason: expect.stringContaining('other users may write') }]);
    },
  );
});
