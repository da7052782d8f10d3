/** One line of a hunk, without its line end. */
export type PatchLine = {
  readonly kind: ' ' | '+' | '-';
  readonly text: string;
  /** Its number in the file after the change; for a removed line, that of the line that follows it. */
  readonly newLine: number;
};

/** Neighbouring changes of a file with the lines around them. */
export type Hunk = {
  readonly oldStart: number;
  readonly newStart: number;
  /** How many lines of the file after the change it covers. */
  readonly newCount: number;
  readonly lines: readonly PatchLine[];
};

export type PatchFile = {
  /** Null for a new file. */
  readonly oldPath: string | null;
  /** Null for a deleted file. */
  readonly newPath: string | null;
  readonly hunks: readonly Hunk[];
  readonly isBinary: boolean;
  /** Whether it is a commit of another repository. */
  readonly isSubmodule: boolean;
  /** Its part of the patch. */
  readonly text: string;
};

export type ParsedPatch =
  | { readonly ok: true; readonly files: readonly PatchFile[] }
  | { readonly ok: false /** A sentence for a user. */; readonly problem: string };

/** What the lines before the first hunk say about a file. */
type Header = { oldPath: string | null; newPath: string | null; isBinary: boolean; isSubmodule: boolean };

/**
 * Reads a unified diff as Git, diff and patch write it, with text around it. A file whose hunks have other counts of lines than they state makes the
 * whole patch invalid: it was cut or edited. Takes time linear in its length.
 */
export function parsePatch(text: string): ParsedPatch {
  const reader = new PatchReader(text.split('\n'));
  const files: PatchFile[] = [];
  while (reader.skipToFile()) {
    const file = reader.readFile();
    if (typeof file === 'string') {
      return { ok: false, problem: file };
    }
    files.push(file);
  }
  return files.length === 0
    ? { ok: false, problem: 'The patch names no file: it needs the lines --- and +++, or "diff --git".' }
    : { ok: true, files };
}

const hunkHeader = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/;

class PatchReader {
  readonly #lines: readonly string[];
  #place = 0;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  /** Whether another file follows. */
  skipToFile(): boolean {
    while (this.#place < this.#lines.length && !this.#startsFile()) {
      this.#place += 1;
    }
    return this.#place < this.#lines.length;
  }

  /** The file that begins here, or the problem. */
  readFile(): PatchFile | string {
    const start = this.#place;
    const header = this.#readHeader();
    const hunks: Hunk[] = [];
    while (hunkHeader.test(this.#line)) {
      const hunk = this.#readHunk();
      if (typeof hunk === 'string') {
        return hunk;
      }
      hunks.push(hunk);
    }
    const text = `${this.#lines.slice(start, this.#place).join('\n')}\n`;
    return header.oldPath === null && header.newPath === null
      ? `Line ${start + 1} of the patch begins a file without a name.`
      : { ...header, hunks, text };
  }

  get #line(): string {
    return this.#lines[this.#place] ?? '';
  }

  #startsFile(): boolean {
    const isPlain = this.#line.startsWith('--- ') && (this.#lines[this.#place + 1] ?? '').startsWith('+++ ');
    return this.#line.startsWith('diff --git ') || isPlain;
  }

  #readHeader(): Header {
    const header: Header = { oldPath: null, newPath: null, isBinary: false, isSubmodule: false };
    if (this.#line.startsWith('diff --git ')) {
      [header.oldPath, header.newPath] = pathsOfGitLine(this.#line.slice('diff --git '.length));
      this.#place += 1;
    }
    while (
      this.#place < this.#lines.length &&
      !this.#line.startsWith('diff --git ') &&
      readHeaderLine(header, this.#line.replace(/\r$/, ''))
    ) {
      this.#place += 1;
      if ((this.#lines[this.#place - 1] ?? '').startsWith('+++ ')) {
        break;
      }
    }
    return header;
  }

  #readHunk(): Hunk | string {
    const at = this.#place + 1;
    const header = hunkHeader.exec(this.#line);
    const [oldStart, olds, newStart, news] = [1, 2, 3, 4].map((group) => Number(header?.[group] ?? 1));
    this.#place += 1;
    const left = { olds: olds ?? 0, news: news ?? 0, newLine: newStart ?? 0 };
    const newCount = left.news;
    const lines: PatchLine[] = [];
    while (left.olds > 0 || left.news > 0) {
      const line = this.#readHunkLine(left);
      if (line === null) {
        return `The hunk at line ${at} of the patch has other lines than it states: the patch was cut or edited.`;
      }
      lines.push(line);
    }
    this.#skipNotes();
    return { oldStart: oldStart ?? 0, newStart: newStart ?? 0, newCount, lines };
  }

  /** Null if no such line is left. */
  #readHunkLine(left: { olds: number; news: number; newLine: number }): PatchLine | null {
    this.#skipNotes();
    const line = this.#line;
    // Editors and mail programs drop the blank of an empty line.
    const kind = line === '' && this.#place < this.#lines.length - 1 ? ' ' : line[0];
    if (!isKind(kind)) {
      return null;
    }
    const newLine = left.newLine;
    if (kind !== '+') {
      left.olds -= 1;
    }
    if (kind !== '-') {
      left.news -= 1;
      left.newLine += 1;
    }
    this.#place += 1;
    return Math.min(left.olds, left.news) < 0 ? null : { kind, text: line.slice(1).replace(/\r$/, ''), newLine };
  }

  /** Such as that the file has no line end at its end. */
  #skipNotes(): void {
    while (this.#line.startsWith('\\')) {
      this.#place += 1;
    }
  }
}

function isKind(character: string | undefined): character is PatchLine['kind'] {
  return character === ' ' || character === '+' || character === '-';
}

/** Whether the line belongs to the header of a file; what it says goes into the header. */
function readHeaderLine(header: Header, line: string): boolean {
  const [, word = '', rest = ''] = /^(---|\+\+\+|rename from|rename to|copy from|copy to) (.*)$/.exec(line) ?? [];
  switch (word) {
    case '---':
      header.oldPath = withoutPrefix(rest, 'a/');
      return true;
    case '+++':
      header.newPath = withoutPrefix(rest, 'b/');
      return true;
    case 'rename from':
    case 'copy from':
      header.oldPath = unquote(rest);
      return true;
    case 'rename to':
    case 'copy to':
      header.newPath = unquote(rest);
      return true;
    default:
      return readModeLine(header, line);
  }
}

function readModeLine(header: Header, line: string): boolean {
  if (line.startsWith('Binary files ') || line === 'GIT binary patch') {
    header.isBinary = true;
    return true;
  }
  if (line.startsWith('new file mode')) {
    header.oldPath = null;
  }
  if (line.startsWith('deleted file mode')) {
    header.newPath = null;
  }
  header.isSubmodule ||= /^(?:(?:new|deleted) file mode|index .*) 160000$/.test(line);
  return /^(?:index|old mode|new mode|new file mode|deleted file mode|similarity index|dissimilarity index) /.test(
    line,
  );
}

/** The paths of `diff --git a/x b/x`: unquoted ones may contain blanks, but then both are the same. */
function pathsOfGitLine(rest: string): [string | null, string | null] {
  const quoted = /^("(?:[^"\\]|\\.)*"|\S+) ("(?:[^"\\]|\\.)*"|\S+)\r?$/.exec(rest);
  if (quoted !== null) {
    return [withoutPrefix(quoted[1] ?? '', 'a/'), withoutPrefix(quoted[2] ?? '', 'b/')];
  }
  const half = (rest.length - 1) / 2;
  return [withoutPrefix(rest.slice(0, half), 'a/'), withoutPrefix(rest.slice(half + 1), 'b/')];
}

/** Without the prefix, the quotes, and the time that diff writes after a tab. */
function withoutPrefix(name: string, prefix: string): string | null {
  const path = unquote(name.startsWith('"') ? name : name.replace(/\t.*$/, ''));
  if (path === '/dev/null') {
    return null;
  }
  return path.startsWith(prefix) ? path.slice(prefix.length) : path;
}

const escapes: Readonly<Record<string, string>> = { a: '\x07', b: '\b', t: '\t', n: '\n', v: '\v', f: '\f', r: '\r' };

/** A name that Git quotes as in C: it has control characters, quotes or backslashes. Octal bytes become the characters of their UTF-8. */
function unquote(name: string): string {
  const plain = name.replace(/\r$/, '');
  if (!/^".*"$/s.test(plain)) {
    return plain;
  }
  return plain
    .slice(1, -1)
    .replace(/(?:\\[0-3][0-7]{2})+|\\(.)/gs, (whole, letter: string | undefined) =>
      letter === undefined ? decodeOctal(whole) : (escapes[letter] ?? letter),
    );
}

function decodeOctal(text: string): string {
  const bytes = text
    .split('\\')
    .slice(1)
    .map((digits) => Number.parseInt(digits, 8).toString(16).padStart(2, '0'));
  try {
    return decodeURIComponent(`%${bytes.join('%')}`);
  } catch {
    return '\uFFFD';
  }
}
