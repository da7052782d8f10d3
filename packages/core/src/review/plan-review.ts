import type { ReviewedFile } from './check-finding.ts';
import { bareName, directoryOf } from './related-files.ts';

/** The files that are reviewed together, in one question. */
type ReviewPart = {
  readonly files: readonly PlannedFile[];
  readonly characters: number;
};

export type PlannedFile = ReviewedFile & {
  /** Whether Gemini sees the whole file: with its diff, or as its diff if the file is new. */
  readonly isWhole: boolean;
};

export type ReviewPlan = {
  readonly parts: readonly ReviewPart[];
  /** Files for which no part has room. */
  readonly overLimit: readonly string[];
};

/** About 75,000 tokens: a model finds less in more. */
export const partCharacters = 300_000;

/** Ten calls at most for one review, with the look at the whole. */
const maxParts = 9;

/** Diff text has a line number before each line. */
const charactersOfLineNumber = 8;

/** Sorts files into parts. Neighbours, and a file with its tests, come into the same part if they fit. */
export function planReview(files: readonly ReviewedFile[]): ReviewPlan {
  const overLimit: string[] = [];
  const parts: { files: PlannedFile[]; characters: number }[] = [];
  for (const file of files.toSorted(compareFiles)) {
    const { characters, ...planned } = measure(file);
    const last = parts.at(-1);
    if (last !== undefined && last.characters + characters <= partCharacters) {
      last.files.push(planned);
      last.characters += characters;
    } else if (characters > partCharacters || parts.length === maxParts) {
      overLimit.push(file.path);
    } else {
      parts.push({ files: [planned], characters });
    }
  }
  return { parts, overLimit };
}

function measure(file: ReviewedFile): PlannedFile & { readonly characters: number } {
  const lines = file.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
  const diff = file.text.length + charactersOfLineNumber * lines;
  const whole = file.oldPath === null ? diff : diff + (file.after?.length ?? 0);
  const isWhole = file.after !== null && whole <= partCharacters;
  return { ...file, isWhole, characters: isWhole ? whole : diff };
}

function compareFiles(one: ReviewedFile, other: ReviewedFile): number {
  return compare(directoryOf(one.path), directoryOf(other.path)) || compare(bareName(one.path), bareName(other.path));
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
