import type { ProcessEnd } from '../../../process/contained-process.ts';

/** How a process came to its end. */
export type AcpProcessEnd = ProcessEnd & {
  /** What it did wrong, in our words, where that is why it was ended; null for one that ended by itself or was told to. */
  readonly fault: string | null;
  readonly wasAsked: boolean;
  /** Where it hung: the sessions whose tools were under way, which may be why; none where that is not known. Null where it did not. */
  readonly suspects: readonly string[] | null;
  /** The end of what it wrote to stderr. Of any of its calls: not to be shown to the caller of one. */
  readonly stderr: string;
};
