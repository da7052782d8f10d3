import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRunDirectory, type RunDirectory } from '../../disk/run-directory/run-directory.ts';
import { heldNames } from './protect/held-names.ts';
import { type SandboxPlace, sandboxHome } from './sandbox/sandbox-view.ts';

/** The private directory for the commands of one run: swept with those of the CLI's runs after a server was killed. */
export type RunPlace = {
  readonly runId: string;
  readonly root: string;
  readonly pipes: string;
  readonly sandbox: SandboxPlace;
  /** Never rejects. */
  remove(): Promise<void>;
};

/** If the file system refuses, rejects with the reason and leaves nothing. */
export async function createRunPlace(runsDirectory: string): Promise<RunPlace> {
  const directory = await createRunDirectory(runsDirectory);
  try {
    return await furnish(directory);
  } catch (error) {
    await directory.remove();
    throw error;
  }
}

async function furnish({ runId, root, temporary, remove }: RunDirectory): Promise<RunPlace> {
  const at = (name: string): string => join(root, name);
  const sandbox: SandboxPlace = {
    temporary,
    home: at('command-home'),
    lockedFile: at('locked-file'),
    lockedDirectory: at('locked-directory'),
    emptyFile: at('empty-file'),
    emptyDirectory: at('empty-directory'),
    passwd: at('passwd'),
    group: at('group'),
    unseenNames: at('unseen-names'),
  };
  const pipes = at('pipes');
  await writeFile(sandbox.unseenNames, heldNames.map(({ path }) => `/${path}\n`).join(''));
  for (const path of [sandbox.home, sandbox.lockedDirectory, sandbox.emptyDirectory, pipes]) {
    await mkdir(path, { mode: 0o700 });
  }
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  await writeFile(sandbox.passwd, `gemini:x:${uid}:${gid}::${sandboxHome}:/bin/sh\n${overflowUser}`);
  await writeFile(sandbox.group, `gemini:x:${gid}:\nnogroup:x:65534:\n`);
  await Promise.all([sandbox.lockedFile, sandbox.emptyFile].map((path) => writeFile(path, '')));
  await Promise.all([sandbox.lockedFile, sandbox.lockedDirectory].map((path) => chmod(path, 0)));
  return { runId, root, pipes, sandbox, remove };
}

/** Files of users outside the sandbox appear to belong to this one. */
const overflowUser = 'other:x:65534:65534::/nonexistent:/usr/sbin/nologin\n';
