import { isBelow } from './in-memory-paths.ts';
import { fromUtf8, sha256, utf8 } from './sha256.ts';

export type FakeFilesOptions = {
  /** Paths to contents, both below the working directory. */
  readonly tree: Readonly<Record<string, string | Uint8Array>>;
  /** Paths of symbolic links below the working directory to their targets, relative to the working directory; no links if missing. */
  readonly links?: Readonly<Record<string, string>>;
  /** Absolute; `/project` if missing. */
  readonly workingDirectory?: string;
};

/** Files in memory by absolute paths. A directory exists as long as it contains a file or a link. */
export class FakeFiles {
  readonly workingDirectory: string;
  readonly #contents = new Map<string, Uint8Array>();
  readonly #links = new Map<string, string>();

  constructor({ tree, links = {}, workingDirectory = '/project' }: FakeFilesOptions) {
    this.workingDirectory = workingDirectory;
    for (const [path, content] of Object.entries(tree)) {
      this.write(path, content);
    }
    for (const [path, target] of Object.entries(links)) {
      this.#links.set(this.resolve(path), this.resolve(target));
    }
  }

  /** The absolute path, from the text of a path alone. */
  resolve(path: string, from: string = this.workingDirectory): string {
    const names: string[] = [];
    for (const name of (path.startsWith('/') ? path : `${from}/${path}`).split('/')) {
      if (name === '..') {
        names.pop();
      } else if (name !== '' && name !== '.') {
        names.push(name);
      }
    }
    return `/${names.join('/')}`;
  }

  /** The target of an absolute path, with links resolved. */
  follow(path: string): string {
    let place = path;
    for (let hops = 0; hops < 40; hops += 1) {
      const link = [...this.#links].find(([from]) => place === from || isBelow(place, from));
      if (link === undefined) {
        break;
      }
      place = link[1] + place.slice(link[0].length);
    }
    return place;
  }

  /** Null if there is no file. Paths here and below are absolute, or relative to the working directory; links are not followed. */
  read(path: string): Uint8Array | null {
    return this.#contents.get(this.resolve(path)) ?? null;
  }

  /** Null if there is no file, or it is not UTF-8. */
  readText(path: string): string | null {
    const bytes = this.read(path);
    return bytes === null ? null : fromUtf8(bytes);
  }

  hashOf(path: string): string | null {
    const bytes = this.read(path);
    return bytes === null ? null : sha256(bytes);
  }

  write(path: string, content: string | Uint8Array): void {
    this.#contents.set(this.resolve(path), typeof content === 'string' ? utf8(content) : content.slice());
  }

  remove(path: string): void {
    this.#contents.delete(this.resolve(path));
  }

  kindOf(path: string): 'file' | 'directory' | 'link' | null {
    const place = this.resolve(path);
    if (this.#links.has(place)) {
      return 'link';
    }
    if (this.#contents.has(place)) {
      return 'file';
    }
    return place === this.workingDirectory || this.all().some((each) => isBelow(each, place)) ? 'directory' : null;
  }

  /** Absolute paths of all files and links, by their code units. */
  all(): readonly string[] {
    return [...this.#contents.keys(), ...this.#links.keys()].sort();
  }

  /** All files in their current state. */
  snapshot(): ReadonlyMap<string, Uint8Array> {
    return new Map(this.#contents);
  }
}
