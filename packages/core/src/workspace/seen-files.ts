/** No run looks at more files than this; one that does must view them again before replacing them. */
const maxFiles = 100_000;

/** Lines from 1, of a file with `totalLines`. */
export type SeenLines = { readonly firstLine: number; readonly lastLine: number; readonly totalLines: number };

/** What a run last saw of a file. */
export type SeenFile = {
  /** SHA-256 of the whole content. */
  readonly hash: string;
  /** The first line that the run has not seen; null if it has seen all of them. */
  readonly firstUnseenLine: number | null;
};

type Entry = { readonly hash: string; readonly totalLines: number; readonly ranges: readonly LineRange[] };
type LineRange = Pick<SeenLines, 'firstLine' | 'lastLine'>;

/** What a run last saw in files, by their real paths. */
export class SeenFiles {
  readonly #entries = new Map<string, Entry>();

  /** Null if the file was not seen. */
  find(realPath: string): SeenFile | null {
    const entry = this.#entries.get(realPath);
    if (entry === undefined) {
      return null;
    }
    const [first] = entry.ranges;
    const next = first?.firstLine === 1 ? first.lastLine + 1 : 1;
    return { hash: entry.hash, firstUnseenLine: next > entry.totalLines ? null : next };
  }

  /** Records viewed lines, and merges them with earlier views of the same content. */
  see(realPath: string, hash: string, { firstLine, lastLine, totalLines }: SeenLines): void {
    const known = this.#entries.get(realPath);
    const ranges = known?.hash === hash ? known.ranges : [];
    this.#keep(realPath, { hash, totalLines, ranges: joinRanges([...ranges, { firstLine, lastLine }]) });
  }

  /** Records content that the run wrote. It knows all of it after replacing the whole file, and otherwise as much as it had seen. */
  change(realPath: string, hash: string, replacesWhole: boolean): void {
    const isWhole = replacesWhole || this.find(realPath)?.firstUnseenLine === null;
    this.#keep(realPath, { hash, totalLines: isWhole ? 0 : 1, ranges: [] });
  }

  /** The run has noticed that the file does not exist. */
  forget(realPath: string): void {
    this.#entries.delete(realPath);
  }

  #keep(realPath: string, entry: Entry): void {
    this.#entries.delete(realPath);
    this.#entries.set(realPath, entry);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > maxFiles && oldest !== undefined) {
      this.#entries.delete(oldest);
    }
  }
}

function joinRanges(ranges: readonly LineRange[]): readonly LineRange[] {
  const joined: LineRange[] = [];
  for (const range of [...ranges].sort((one, other) => one.firstLine - other.firstLine)) {
    const last = joined.at(-1);
    if (last !== undefined && range.firstLine <= last.lastLine + 1) {
      joined[joined.length - 1] = { ...last, lastLine: Math.max(last.lastLine, range.lastLine) };
    } else {
      joined.push(range);
    }
  }
  return joined;
}
