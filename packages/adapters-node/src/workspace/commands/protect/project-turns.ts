import { isWithin } from '../../../processes/path-containment.ts';

/** Lets one at a time look at a project and wall it in, while others may do so in other projects. */
export class ProjectTurns {
  readonly #turns = new Set<Turn>();

  /** Resolves when no earlier turn in any of the directories, or below them, is left. The caller ends it. */
  async take(directories: readonly string[]): Promise<() => void> {
    const before = [...this.#turns].filter((turn) => turn.directories.some((one) => overlaps(one, directories)));
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const turn: Turn = { directories, ended };
    this.#turns.add(turn);
    await Promise.all(before.map((one) => one.ended));
    return () => {
      this.#turns.delete(turn);
      end();
    };
  }
}

type Turn = { readonly directories: readonly string[]; readonly ended: Promise<void> };

function overlaps(one: string, directories: readonly string[]): boolean {
  return directories.some((other) => isWithin(one, other) || isWithin(other, one));
}
