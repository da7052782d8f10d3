import { randomUUID } from 'node:crypto';
import { mkdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ensurePrivateDirectory } from '../process/private-directory.ts';
import { ownIdentity } from '../process/process-identity.ts';
import { loginFiles } from './cli-login.ts';
import { type AuthType, buildCliSettings, denyToolsPolicy, ignoreEverything } from './cli-settings.ts';
import { commandFile, commandName } from './literal-channel.ts';

/** The places of one run; all lie in one private directory that goes with the run. */
export type RunDirectory = {
  readonly runId: string;
  /** Where the CLI runs: empty but for our settings, so that nothing of a project is trusted or pulled in. */
  readonly workspace: string;
  /** What the CLI takes for the user's home: a login by link, and whatever it writes. */
  readonly home: string;
  readonly temporary: string;
  readonly policyFile: string;
  /** Never rejects: what cannot be removed now is left to the sweep of a later start. */
  remove(): Promise<void>;
};

export type RunDirectoryOptions = {
  /** Holds the directories of all runs. */
  readonly runsDirectory: string;
  /** The user's own `.gemini` directory. */
  readonly userDirectory: string;
  readonly authType: AuthType;
};

export const ownerFileName = 'owner.json';

/** Whether a directory may be one of ours: nothing else in the directory of all runs is touched. */
export function isRunId(name: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(name);
}

/**
 * Makes the directory of a new run. Rejects with the reason when the file system does not let it; then nothing of it is
 * left. One step after the other, so that none is under way any more when that happens.
 */
export async function createRunDirectory(options: RunDirectoryOptions): Promise<RunDirectory> {
  await ensurePrivateDirectory(options.runsDirectory);
  const runId = randomUUID();
  const root = join(options.runsDirectory, runId);
  const directory: RunDirectory = {
    runId,
    workspace: join(root, 'workspace'),
    home: join(root, 'home'),
    temporary: join(root, 'tmp'),
    policyFile: join(root, 'policy.toml'),
    remove: () => rm(root, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined),
  };
  try {
    await mkdir(root, { mode: 0o700 });
    await writeFile(join(root, ownerFileName), JSON.stringify(ownIdentity()), { mode: 0o600 });
    await writeFile(directory.policyFile, denyToolsPolicy, { mode: 0o600 });
    await mkdir(directory.temporary, { mode: 0o700 });
    await fillWorkspace(directory, options);
    await fillHome(directory, options);
  } catch (error) {
    await directory.remove();
    throw error;
  }
  return directory;
}

async function fillWorkspace({ workspace }: RunDirectory, { authType }: RunDirectoryOptions): Promise<void> {
  const settingsDirectory = join(workspace, '.gemini');
  await mkdir(settingsDirectory, { recursive: true, mode: 0o700 });
  const settings = JSON.stringify(buildCliSettings(authType));
  await writeFile(join(settingsDirectory, 'settings.json'), settings, { mode: 0o600 });
  await writeFile(join(workspace, '.geminiignore'), ignoreEverything, { mode: 0o600 });
  // The CLI walks up from its directory to the first `.gemini/.env`, even where it is told to ignore local ones. This one
  // ends the walk before it has begun.
  await writeFile(join(settingsDirectory, '.env'), '', { mode: 0o600 });
}

/** Links, not copies: a login that the CLI renews is written through to the user's file. */
async function fillHome({ home }: RunDirectory, { userDirectory }: RunDirectoryOptions): Promise<void> {
  const target = join(home, '.gemini');
  const commands = join(target, 'commands');
  await mkdir(commands, { recursive: true, mode: 0o700 });
  await writeFile(join(commands, `${commandName}.toml`), commandFile, { mode: 0o600 });
  for (const name of loginFiles) {
    const source = join(userDirectory, name);
    if (await exists(source)) {
      await symlink(source, join(target, name));
    }
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
