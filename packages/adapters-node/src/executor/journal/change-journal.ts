/** What lies at a path, as far as undo has to know it. */
export type PathState =
  | { readonly type: 'absent' }
  /** `mode` holds the permission bits alone; the others are as in `PlaceState`. */
  | {
      readonly type: 'file';
      readonly bytes: Uint8Array;
      readonly mode: number;
      readonly modifiedAtMs?: number;
      readonly isLinked?: boolean;
    }
  | { readonly type: 'directory'; readonly mode: number }
  | { readonly type: 'link'; readonly target: string };

/** What a change leaves at its path. A hash is the SHA-256 of the whole content, in hex. */
export type ExpectedState =
  | { readonly type: 'absent' }
  | { readonly type: 'file'; readonly hash: string; readonly mode: number }
  | { readonly type: 'directory' };

/** A change that is about to be made. */
export type JournalEntry = {
  /** Absolute, without links: the path that is changed itself. */
  readonly path: string;
  readonly before: PathState;
  readonly after: ExpectedState;
};

/** Keeps what a run changes, with what was there before. One run writes, in the order of its changes. */
export interface ChangeJournal {
  /**
   * Resolves once the entry would survive a kill of the process: the change is made only then. Rejects where it cannot be kept, and then the
   * change is not made. An entry whose change is not made after all does no harm: undo finds the path as it was.
   */
  record(entry: JournalEntry): Promise<void>;
}
