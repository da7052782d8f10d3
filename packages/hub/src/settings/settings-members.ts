import type { SettingsNode } from './settings-node.ts';

/** The members of an object of the settings by their names. One that is not as it has to be is told, and counts as missing. */
export class SettingsMembers {
  readonly #nodes: ReadonlyMap<string, SettingsNode>;

  constructor(nodes: ReadonlyMap<string, SettingsNode>) {
    this.#nodes = nodes;
  }

  has(name: string): boolean {
    return this.#nodes.has(name);
  }

  get(name: string): SettingsNode | undefined {
    return this.#nodes.get(name);
  }

  text(name: string): string | null {
    return this.#nodes.get(name)?.text() ?? null;
  }

  flag(name: string, otherwise: boolean): boolean {
    return this.#nodes.get(name)?.flag() ?? otherwise;
  }

  /** Null where it is missing; none where it is there and cannot be read. */
  texts(name: string): readonly string[] | null {
    const node = this.#nodes.get(name);
    return node === undefined ? null : (node.texts() ?? []);
  }

  oneOf<Word extends string>(name: string, words: readonly Word[], otherwise: Word): Word {
    return this.#nodes.get(name)?.oneOf(words) ?? otherwise;
  }
}
