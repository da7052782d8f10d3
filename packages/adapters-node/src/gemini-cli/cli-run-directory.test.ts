import { lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isRunId } from '../disk/run-directory/run-directory.ts';
import { type CliRunDirectory, createCliRunDirectory } from './cli-run-directory.ts';

let root: string;
let runsDirectory: string;
let userDirectory: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'run-directory-'));
  runsDirectory = join(root, 'state', 'runs');
  userDirectory = join(root, '.gemini');
  await mkdir(userDirectory);
});

afterEach(() => rm(root, { recursive: true }));

function create(): Promise<CliRunDirectory> {
  return createCliRunDirectory({ runsDirectory, loginDirectory: userDirectory });
}

async function entriesOf({ runId }: CliRunDirectory): Promise<readonly string[]> {
  const directory = join(runsDirectory, runId);
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.map((entry) => join(relative(directory, entry.parentPath), entry.name)).sort();
}

const files = [
  'home',
  'home/.gemini',
  'owner.json',
  'tmp',
  'workspace',
  'workspace/.gemini',
  'workspace/.gemini/.env',
  'workspace/.geminiignore',
];

describe('createCliRunDirectory', () => {
  it('CONFIG-01: brings nothing of the user along but the files of a login', async () => {
    const login = ['oauth_creds.json', 'google_accounts.json', 'gemini-credentials.json', 'installation_id'];
    for (const directory of ['commands', 'extensions/evil', 'skills', 'agents', 'policies', 'tmp']) {
      await mkdir(join(userDirectory, directory), { recursive: true });
    }
    const others = [
      'settings.json',
      'GEMINI.md',
      '.env',
      'trustedFolders.json',
      'mcp-oauth-tokens.json',
      'commands/x.toml',
    ];
    for (const name of [...login, ...others]) {
      await writeFile(join(userDirectory, name), name);
    }
    const directory = await create();
    expect(await entriesOf(directory)).toEqual([...files, ...login.map((name) => `home/.gemini/${name}`)].sort());
    for (const name of login) {
      expect(await readlink(join(directory.home, '.gemini', name))).toBe(join(userDirectory, name));
    }
  });

  it('a login that is renewed in the run is renewed for the user, and outlives the run', async () => {
    await writeFile(join(userDirectory, 'oauth_creds.json'), 'old');
    const directory = await create();
    await writeFile(join(directory.home, '.gemini', 'oauth_creds.json'), 'renewed');
    await directory.remove();
    expect(await readFile(join(userDirectory, 'oauth_creds.json'), 'utf8')).toBe('renewed');
    expect(await readdir(runsDirectory)).toEqual([]);
  });

  it('a dangling login file is not a login file', async () => {
    await symlink(join(root, 'nowhere'), join(userDirectory, 'oauth_creds.json'));
    expect(await entriesOf(await create())).toEqual(files);
  });

  it.skipIf(process.platform === 'win32')('ARGV-10: everything is this user’s alone, whatever the umask', async () => {
    const umask = process.umask(0);
    try {
      const directory = await create();
      await directory.write([{ path: 'home/.gemini/commands/x.toml', content: 'x' }]);
      for (const name of ['', ...(await entriesOf(directory))]) {
        const stats = await lstat(join(runsDirectory, directory.runId, name));
        expect([name, (stats.mode & 0o777).toString(8)]).toEqual([name, stats.isDirectory() ? '700' : '600']);
      }
      expect((await stat(runsDirectory)).mode & 0o777).toBe(0o700);
    } finally {
      process.umask(umask);
    }
  });

  it('brings no login along for a run with a key of its own', async () => {
    await writeFile(join(userDirectory, 'oauth_creds.json'), 'a login');
    expect(await entriesOf(await createCliRunDirectory({ runsDirectory, loginDirectory: null }))).toEqual(files);
  });

  it('each run has a directory of its own', async () => {
    const runs = await Promise.all(Array.from({ length: 8 }, create));
    const names = await readdir(runsDirectory);
    expect([...names].sort()).toEqual(runs.map(({ runId }) => runId).sort());
    expect(names.every(isRunId)).toBe(true);
    await Promise.all(runs.map((run) => run.remove()));
    expect(await readdir(runsDirectory)).toEqual([]);
  });

  it('removing the files of the CLI succeeds twice, or after someone else has done it', async () => {
    const directory = await create();
    await mkdir(join(directory.temporary, 'deep', 'er'), { recursive: true });
    await writeFile(join(directory.temporary, 'deep', 'er', 'file'), 'x', { mode: 0o400 });
    await directory.remove();
    await directory.remove();
    expect(await readdir(runsDirectory)).toEqual([]);
  });

  it('rejects where the CLI would read its path in two, and so lose the policy', async () => {
    runsDirectory = join(root, 'a,b');
    await expect(create()).rejects.toThrow('a comma in its name');
    expect(await readdir(root)).not.toContain('a,b');
  });

  it('rejects with the reason when no directory can be made', async () => {
    await writeFile(join(root, 'state'), 'a file in the way');
    await expect(create()).rejects.toThrow(/ENOTDIR|EEXIST/);
  });

  it.skipIf(process.platform !== 'linux')('removes a half-made directory', async () => {
    // Long enough that the directory and its first files can be made, and the path of the last file is too long.
    const wanted = 4_095 - '/workspace/.gemini/x'.length - '/00000000-0000-4000-8000-000000000000'.length;
    for (runsDirectory = join(root, 'runs'); wanted - runsDirectory.length > 202; ) {
      runsDirectory = join(runsDirectory, 'd'.repeat(200));
    }
    runsDirectory = join(runsDirectory, 'd'.repeat(wanted - runsDirectory.length - 1));
    await expect(create()).rejects.toThrow(/ENAMETOOLONG/);
    expect(await readdir(runsDirectory)).toEqual([]);
  });
});
