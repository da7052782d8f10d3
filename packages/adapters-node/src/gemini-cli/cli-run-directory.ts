import { mkdir, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createRunDirectory, type PrivateFile, type RunDirectory } from '../disk/run-directory/run-directory.ts';
import { loginFiles } from './environment/cli-login.ts';
import { ignoreEverything } from './settings/cli-settings.ts';

/** The private directory of one run of the CLI. */
export type CliRunDirectory = RunDirectory & {
  /** The CLI's working directory unless the call names one: empty, so that the CLI reads and trusts nothing from a project. */
  readonly workspace: string;
  /** The CLI's home: links to the user's login, our settings, and the CLI's own files. */
  readonly home: string;
};

export type CliRunDirectoryOptions = {
  readonly runsDirectory: string;
  /** The user's own `.gemini` directory, whose login the run uses; null for a run with its own key. */
  readonly loginDirectory: string | null;
};

/** Creates the directory of a new run of the CLI. If the file system refuses, rejects with the reason and removes what it created. */
export async function createCliRunDirectory(options: CliRunDirectoryOptions): Promise<CliRunDirectory> {
  if (options.runsDirectory.includes(',')) {
    // The CLI splits the path of its policy file at a comma, and silently finds no policy.
    throw new Error(`${options.runsDirectory} has a comma in its name, where the CLI would cut it`);
  }
  const directory = await createRunDirectory(options.runsDirectory);
  const { root } = directory;
  const cliDirectory = { ...directory, workspace: join(root, 'workspace'), home: join(root, 'home') };
  try {
    await directory.write(workspaceFiles);
    await mkdir(join(cliDirectory.home, '.gemini'), { recursive: true, mode: 0o700 });
    await linkLogin(cliDirectory, options);
  } catch (error) {
    await directory.remove();
    throw error;
  }
  return cliDirectory;
}

const workspaceFiles: readonly PrivateFile[] = [
  { path: 'workspace/.geminiignore', content: ignoreEverything },
  // The CLI walks up from its directory to the first `.gemini/.env`, even if its settings ignore local ones. This file ends the walk at
  // once.
  { path: 'workspace/.gemini/.env', content: '' },
];

/** Links, not copies: if the CLI renews the login, it writes to the user's file. */
async function linkLogin({ home }: CliRunDirectory, { loginDirectory }: CliRunDirectoryOptions): Promise<void> {
  for (const name of loginDirectory === null ? [] : loginFiles) {
    const source = join(loginDirectory ?? '', name);
    if (await exists(source)) {
      await symlink(source, join(home, '.gemini', name));
    }
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
