import type { WorkspaceOptions } from '../ports/workspace/executor.ts';
import { judgeWrite, type WriteJudgement } from '../workspace/judge-write.ts';
import type { FakeFiles } from './fake-files.ts';
import { isBelow } from './in-memory-paths.ts';

/** The paths that a run may use, and their names for it. */
export class FakePaths {
  readonly #files: FakeFiles;
  readonly #base: string;
  readonly #roots: readonly string[];

  constructor(files: FakeFiles, { workingDirectory, roots }: Pick<WorkspaceOptions, 'workingDirectory' | 'roots'>) {
    this.#files = files;
    this.#base = files.resolve(workingDirectory);
    this.#roots = roots.map((root) => files.resolve(root));
  }

  /** The target of a path, with links resolved; null if it lies outside the roots, by its name or by a link. */
  locate(path: string): string | null {
    const named = this.#files.resolve(path, this.#base);
    const place = this.#files.follow(named);
    return this.#contains(named) && this.#contains(place) ? place : null;
  }

  show(place: string): string {
    return place === this.#base ? '.' : this.#below(this.#base, place);
  }

  isSecret(place: string): boolean {
    return isSecret(this.#belowRoot(place));
  }

  judge(place: string): WriteJudgement {
    return judgeWrite({ path: this.#belowRoot(place), isSensitive: isSecret });
  }

  #contains(place: string): boolean {
    return this.#roots.some((root) => place === root || isBelow(place, root));
  }

  #belowRoot(place: string): string {
    return this.#below(this.#roots.find((root) => isBelow(place, root)) ?? '', place);
  }

  #below(directory: string, place: string): string {
    return isBelow(place, directory) ? place.slice(directory.length + 1) : place;
  }
}

function isSecret(path: string): boolean {
  return path.split('/').some((name) => name === '.env' || name.endsWith('.pem') || name === '.git');
}
