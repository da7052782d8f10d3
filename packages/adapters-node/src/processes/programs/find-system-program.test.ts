import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeSafeDirectory } from '@gemini-mcp/fake-gemini';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findSystemProgram } from './find-system-program.ts';

let root: string;
const path = process.env['PATH'];

beforeEach(async () => {
  root = await makeSafeDirectory();
  await mkdir(join(root, 'bin'));
  await writeFile(join(root, 'bin', 'sh'), '', { mode: 0o755 });
  await writeFile(join(root, 'bin', 'of-no-user'), '', { mode: 0o755 });
});

afterEach(async () => {
  process.env['PATH'] = path;
  await rm(root, { recursive: true });
});

describe.skipIf(process.platform === 'win32')('findSystemProgram', () => {
  it('PROGRAM-05: searches the directories of the system, and not PATH', async () => {
    process.env['PATH'] = join(root, 'bin');
    expect(await findSystemProgram('sh')).toMatch(/^(?:\/usr)?\/bin\/sh$/);
    expect(await findSystemProgram('of-no-user')).toBeNull();
  });

  it('PROGRAM-05: finds nothing in a directory that anybody may write to', async () => {
    expect(await findSystemProgram('sh', [join(root, 'bin')])).toBe(join(root, 'bin', 'sh'));
    await chmod(join(root, 'bin'), 0o777);
    expect(await findSystemProgram('sh', [join(root, 'bin')])).toBeNull();
  });
});
