import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { canonicalJson } from '@gemini-mcp/core/internal';
import { ensurePrivateDirectory } from '../process/private-directory.ts';
import { describeWriteError } from '../state/describe-write-error.ts';
import { readPrivateJson } from '../state/read-private-json.ts';
import { replacePrivateFile, sweepDrafts } from '../state/replace-private-file.ts';
import { parseProject } from './hub-record.ts';

/** The settings of a project, as a user has approved them: another content in the same place is not approved, nor this one elsewhere. */
export type ProjectSettings = {
  /** The real path of the project. */
  readonly directory: string;
  /** SHA-256 of the file, as hexadecimal digits. */
  readonly digest: string;
};

const maxBytes = 16_384;

/** Keeps which settings of projects a user has approved, each as a private file below `hub/projects`. */
export class FileProjectApprovals {
  readonly #directory: string;

  /** `stateDirectory` is for this user alone, and is made when it is needed. */
  constructor(stateDirectory: string) {
    this.#directory = join(stateDirectory, 'hub', 'projects');
  }

  /** Never rejects: what cannot be read is not approved. */
  async isApproved({ directory, digest }: ProjectSettings): Promise<boolean> {
    const read = await readPrivateJson(this.#pathOf({ directory, digest }), maxBytes);
    const kept = read !== null && 'value' in read ? parseProject(read.value) : null;
    return kept?.directory === directory && kept.digest === digest;
  }

  /** Resolves to null when it is kept, otherwise to why not, for a user. */
  async approve({ directory, digest }: ProjectSettings, nowMs: number): Promise<string | null> {
    try {
      await ensurePrivateDirectory(this.#directory);
      await sweepDrafts(this.#directory);
      const text = JSON.stringify({ format: 1, directory, digest, approvedAtMs: nowMs }, null, 2);
      await replacePrivateFile(this.#pathOf({ directory, digest }), `${text}\n`);
      return null;
    } catch (error) {
      return `The approval could not be kept: ${describeWriteError(error)}.`;
    }
  }

  #pathOf(settings: ProjectSettings): string {
    const name = createHash('sha256').update(canonicalJson(settings)).digest('hex');
    return join(this.#directory, `${name}.json`);
  }
}
