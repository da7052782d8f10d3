import { randomBytes } from 'node:crypto';
import { link, lstat, readdir, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApprovalStore, ApprovalToKeep, LastingApproval } from '@gemini-mcp/core';
import { ensurePrivateDirectory } from '../process/private-directory.ts';
import { describeWriteError } from '../state/describe-write-error.ts';
import { errorCode, isMissing } from '../state/error-code.ts';
import { readPrivateJson } from '../state/read-private-json.ts';
import { syncDirectory } from '../state/sync-directory.ts';
import { writeDraft } from '../state/write-draft.ts';
import { approvalId, formatApproval, idPattern, parseApproval } from './approval-record.ts';

/** A file in the place of an approval, which allows nothing. */
export type UnusableApproval = { readonly path: string; readonly reason: string };

export type FileApprovalStoreOptions = {
  /** The state directory: for this user alone, and made when it is needed. Several processes may share it. */
  readonly directory: string;
  /** Told of each file that allows nothing because it cannot be read, once as long as the store lives. */
  readonly onUnusable?: (unusable: UnusableApproval) => void;
};

/** Each is read for every question that could be spared: more are more than a user has allowed on purpose. */
const maxApprovals = 1_000;

/** More than an approval has. */
const maxBytes = 16_384;

/**
 * What a user has allowed for good, each as a private file of its own below `approvals/`, named after the digest of what it allows. There is
 * no file that two writers share, so that nothing is lost when both write; and a file that says something else than its name allows nothing.
 */
export class FileApprovalStore implements ApprovalStore {
  readonly #directory: string;
  readonly #onUnusable: (unusable: UnusableApproval) => void;
  readonly #told = new Set<string>();

  constructor({ directory, onUnusable = () => undefined }: FileApprovalStoreOptions) {
    this.#directory = join(directory, 'approvals');
    this.#onUnusable = onUnusable;
  }

  async list(signal: AbortSignal): Promise<readonly LastingApproval[]> {
    const approvals: LastingApproval[] = [];
    for (const name of await this.#names()) {
      const approval = signal.aborted ? null : await this.#read(name);
      if (approval !== null) {
        approvals.push(approval);
      }
    }
    return approvals.sort((one, other) => one.allowedAtMs - other.allowedAtMs || (one.id < other.id ? -1 : 1));
  }

  async add(approval: ApprovalToKeep, signal: AbortSignal): Promise<string | null> {
    if (signal.aborted) {
      return notKept('the call was cancelled');
    }
    try {
      await ensurePrivateDirectory(this.#directory);
      if ((await readdir(this.#directory)).length >= maxApprovals) {
        return notKept(`there are ${maxApprovals} already. Revoke some`);
      }
      await this.#write(approval);
      return null;
    } catch (error) {
      return notKept(describeWriteError(error));
    }
  }

  async revoke(id: string, _signal: AbortSignal): Promise<boolean> {
    if (!idPattern.test(id)) {
      return false;
    }
    try {
      await unlink(this.#pathOf(id));
      await syncDirectory(this.#directory).catch(() => undefined);
      return true;
    } catch {
      return false;
    }
  }

  async #names(): Promise<readonly string[]> {
    try {
      const { uid, mode } = await lstat(this.#directory);
      const isOurs = process.platform === 'win32' || (uid === process.getuid?.() && (mode & 0o022) === 0);
      if (!isOurs) {
        this.#tell(this.#directory, 'other users may write there');
        return [];
      }
      return (await readdir(this.#directory)).filter((name) => name.endsWith('.json')).slice(0, maxApprovals);
    } catch (error) {
      if (!isMissing(error)) {
        this.#tell(this.#directory, errorCode(error) ?? 'it cannot be read');
      }
      return [];
    }
  }

  async #read(name: string): Promise<LastingApproval | null> {
    const path = join(this.#directory, name);
    const file = await readPrivateJson(path, maxBytes);
    if (file === null) {
      return null;
    }
    const parsed = 'reason' in file ? file : parseApproval(name.slice(0, -'.json'.length), file.value);
    if ('approval' in parsed) {
      return parsed.approval;
    }
    this.#tell(path, parsed.reason);
    return null;
  }

  /** Whole under its name, or not there: a link to a file that is written already. */
  async #write(approval: ApprovalToKeep): Promise<void> {
    const id = approvalId(approval);
    const path = this.#pathOf(id);
    const draft = join(this.#directory, `.${id}-${randomBytes(6).toString('hex')}`);
    try {
      await writeDraft(draft, formatApproval(approval));
      if (!(await this.#publish(draft, path, id))) {
        return;
      }
      await syncDirectory(this.#directory).catch(() => undefined);
    } finally {
      await unlink(draft).catch(() => undefined);
    }
  }

  /** Resolves to false where the same approval is kept already. What is there and cannot be read is replaced. */
  async #publish(draft: string, path: string, id: string): Promise<boolean> {
    try {
      await link(draft, path);
      return true;
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') {
        throw error;
      }
    }
    const there = await readPrivateJson(path, maxBytes);
    if (there !== null && 'value' in there && parseApproval(id, there.value).ok) {
      return false;
    }
    await rename(draft, path);
    return true;
  }

  #pathOf(id: string): string {
    return join(this.#directory, `${id}.json`);
  }

  #tell(path: string, reason: string): void {
    if (!this.#told.has(path)) {
      this.#told.add(path);
      this.#onUnusable({ path, reason });
    }
  }
}

function notKept(why: string): string {
  return `The approval could not be kept: ${why}. It holds for this run alone.`;
}
