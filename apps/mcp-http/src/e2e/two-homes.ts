import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HttpServerProcess } from './http-server-process.ts';
import type { HttpSetup } from './http-setup.ts';

/** Text that is in the files of each, and nowhere else. */
export const contents = {
  alice: 'CANARY-in-the-files-of-alice',
  bob: 'CANARY-in-the-files-of-bob',
  server: 'CANARY-in-the-files-of-the-server',
} as const;

/** Directories of two principals, one with links into the other. A third principal may read nothing. */
export class TwoHomes {
  readonly alice: string;
  readonly bob: string;
  /** The working directory of the server. */
  readonly project: string;

  private constructor({ root, project }: HttpSetup) {
    this.alice = join(root, 'homes', 'alice');
    this.bob = join(root, 'homes', 'bob');
    this.project = project;
  }

  static async create(setup: HttpSetup): Promise<TwoHomes> {
    const homes = new TwoHomes(setup);
    for (const name of ['alice', 'bob'] as const) {
      await mkdir(join(homes[name], 'src'), { recursive: true });
      await writeFile(join(homes[name], `${name}.txt`), contents[name]);
    }
    await writeFile(join(homes.project, 'server.txt'), contents.server);
    await symlink('../bob/bob.txt', join(homes.alice, 'link.txt'));
    await symlink(homes.bob, join(homes.alice, 'linked'));
    await symlink('../../bob', join(homes.alice, 'src', 'linked'));
    return homes;
  }

  start(setup: HttpSetup): Promise<HttpServerProcess> {
    return setup.startFor([
      { name: 'alice', roots: [this.alice] },
      { name: 'bob', roots: [this.bob] },
      { name: 'carol', scopes: ['gemini:query', 'gemini:chat', 'gemini:search'], roots: [this.bob] },
    ]);
  }
}
