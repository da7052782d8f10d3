import { isWithin } from '../../../processes/path-containment.ts';

/** Serializes looks at a project and the creation of its sandboxes; other projects proceed in parallel. */
export class ProjectTurns {
  readonly #turns = new Set<Turn>();

  /** Resolves when every earlier turn in any of the directories, or below them, has ended. The caller ends the new turn. */
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
