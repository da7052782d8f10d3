import { displayPathOf } from './display-path-of.ts';

const identityBits = 0o6000;

/** Files that a command left with a mode that makes them run as their owner or group. */
export class IdentityFiles {
  readonly #modes = new Map<string, number>();

  /** The modes of a file at a path; null if there was, or is, no file. */
  add(path: string, before: number | null, after: number | null): void {
    if (after !== null && (after & identityBits & ~(before ?? 0)) !== 0) {
      this.#modes.set(path, after);
    }
  }

  notes(workingDirectory: string): readonly string[] {
    if (this.#modes.size === 0) {
      return [];
    }
    const shown = [...this.#modes].map(
      ([path, mode]) => `${JSON.stringify(displayPathOf(path, workingDirectory))} (mode ${mode.toString(8)})`,
    );
    return [
      `A command left files that run with their owner's or group's rights for every user who starts them: ${listSome(shown)}. To take those rights away: \`chmod ug-s\`.`,
    ];
  }
}

const maxShown = 10;

export function listSome(texts: readonly string[]): string {
  const more = texts.length > maxShown ? `, and ${texts.length - maxShown} more` : '';
  return `${texts.slice(0, maxShown).join(', ')}${more}`;
}
