import { createHash } from 'node:crypto';
import * as z from 'zod';

export type FileState =
  | { readonly kind: 'absent' }
  | {
      readonly kind: 'file';
      readonly mode: number | null;
      /** SHA-256 in hex; null for unreadable content. */
      readonly hash: string | null;
      readonly sizeBytes: number;
      /** The last write to its content, in milliseconds since the epoch; missing if it is not restored. */
      readonly modifiedAtMs?: number | undefined;
      /** Whether it had other names (hard links); defaults to false. */
      readonly isLinked?: boolean | undefined;
    }
  | { readonly kind: 'link'; readonly target: string }
  /** A null mode stands for any: the system chose it. */
  | { readonly kind: 'directory'; readonly mode: number | null }
  /** A pipe, a socket or a device. */
  | { readonly kind: 'other'; readonly mode: number | null };

const mode = z.int().min(0).max(0o7777).nullable();
const hash = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .nullable();

export const fileStateSchema: z.ZodType<FileState> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('absent') }),
  z.strictObject({
    ...{ kind: z.literal('file'), mode, hash, sizeBytes: z.int().min(0) },
    modifiedAtMs: z.number().optional(),
    isLinked: z.boolean().optional(),
  }),
  z.strictObject({ kind: z.literal('link'), target: z.string() }),
  z.strictObject({ kind: z.literal('directory'), mode }),
  z.strictObject({ kind: z.literal('other'), mode }),
]);

export const absent: FileState = { kind: 'absent' };

export function stateBefore(before: PathState): FileState {
  if (before.type === 'file') {
    const { bytes, mode: bits, modifiedAtMs, isLinked } = before;
    return { kind: 'file', mode: bits, hash: hashOf(bytes), sizeBytes: bytes.byteLength, modifiedAtMs, isLinked };
  }
  if (before.type === 'directory') {
    return { kind: 'directory', mode: before.mode };
  }
  return before.type === 'link' ? { kind: 'link', target: before.target } : absent;
}

export function stateAfter(after: ExpectedState): FileState {
  if (after.type === 'file') {
    return { kind: 'file', mode: after.mode, hash: after.hash, sizeBytes: 0 };
  }
  return after.type === 'directory' ? { kind: 'directory', mode: null } : absent;
}

export function hashOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Null for anything but a file, and for an unknown mode. */
export function fileModeOf(state: FileState): number | null {
  return state.kind === 'file' ? state.mode : null;
}

/** Whether two states are equal in content, mode bits and kind. Unreadable content equals nothing. */
export function isSameState(one: FileState, other: FileState): boolean {
  if (one.kind === 'file' && other.kind === 'file') {
    return one.hash !== null && one.hash === other.hash && isSameMode(one.mode, other.mode);
  }
  if (one.kind === 'link' && other.kind === 'link') {
    return one.target === other.target;
  }
  if ((one.kind === 'directory' || one.kind === 'other') && one.kind === other.kind) {
    return isSameMode(one.mode, other.mode);
  }
  return one.kind === 'absent' && other.kind === 'absent';
}

/** Windows has no mode bits. */
function isSameMode(one: number | null, other: number | null): boolean {
  return one === null || other === null || one === other || process.platform === 'win32';
}

export type PathState =
  | { readonly type: 'absent' }
  /** `mode` holds only the permission bits; for the others see `FileState`. */
  | {
      readonly type: 'file';
      readonly bytes: Uint8Array;
      readonly mode: number;
      readonly modifiedAtMs?: number;
      readonly isLinked?: boolean;
    }
  | { readonly type: 'directory'; readonly mode: number }
  | { readonly type: 'link'; readonly target: string };

/** The state that a change leaves at its path. A hash is the SHA-256 of the whole content, in hex. */
export type ExpectedState =
  | { readonly type: 'absent' }
  | { readonly type: 'file'; readonly hash: string; readonly mode: number }
  | { readonly type: 'directory' };

export type JournalEntry = {
  /** Absolute, without links: the changed path itself. */
  readonly path: string;
  readonly before: PathState;
  readonly after: ExpectedState;
};

/** Records a run's changes together with the former states. One run writes, in the order of its changes. */
export interface ChangeJournal {
  /**
   * Resolves once the entry would survive a kill of the process: only then may the change be made. Rejects if it cannot be kept; then the
   * change must not be made. An entry whose change is not made does no harm: undo finds the path in its former state.
   */
  record(entry: JournalEntry): Promise<void>;
}
