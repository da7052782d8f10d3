import { statSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkProgramFiles } from './check-program-files.ts';

/** Everyone may write to the directory or to one above it, as to /tmp. */
function isOpen(directory: string): boolean {
  const isWritable = (statSync(directory).mode & 0o002) !== 0;
  return isWritable || (dirname(directory) !== directory && isOpen(dirname(directory)));
}

const hasModes = process.platform !== 'win32';

it.runIf(hasModes && isOpen(tmpdir()))('advises no change of a directory of the system', async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'program-files-')));
  await mkdir(join(root, 'dist'));
  await writeFile(join(root, 'dist', 'server.cjs'), '');
  const [check] = await checkProgramFiles(join(root, 'dist', 'server.cjs'));
  expect(check).toMatchObject({ status: 'warn', fix: 'Install the server in a directory of your own.' });
  await rm(root, { recursive: true });
});

describe.runIf(hasModes && !isOpen(homedir()))('checkProgramFiles', () => {
  let root: string;
  let program: string;

  beforeEach(async () => {
    // Everyone may write to the system's directory for temporary files.
    root = await realpath(await mkdtemp(join(homedir(), '.gemini-mcp-files-')));
    await mkdir(join(root, 'dist'));
    program = join(root, 'dist', 'server.cjs');
    await writeFile(program, '', { mode: 0o755 });
    await writeFile(join(root, 'dist', 'late.cjs'), '', { mode: 0o644 });
  });

  afterEach(() => rm(root, { recursive: true, force: true }));

  it('finds nothing wrong with files that only their owner may change', async () => {
    expect(await checkProgramFiles(program)).toEqual([]);
  });

  it.each([
    ['the program', 'dist/server.cjs', 0o777],
    ['another of its files', 'dist/late.cjs', 0o666],
    ['their directory', 'dist', 0o777],
    ['a directory above', '.', 0o777],
  ])('warns if others may change %s, and names it', async (_, place, mode) => {
    await chmod(join(root, place), mode);
    const path = join(root, place);
    expect(await checkProgramFiles(program)).toEqual([
      {
        name: 'Program files',
        status: 'warn',
        found: `others may change this server's code. Other users can write to ${path}.`,
        fix: expect.stringContaining(`chmod -R go-w ${path}. `),
      },
    ]);
  });
});
