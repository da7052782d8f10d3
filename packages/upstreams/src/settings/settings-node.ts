import { escapeName, nearestName } from '@gemini-mcp/core/internal';
import { getNodeValue, type Node, type ParseError, printParseErrorCode } from 'jsonc-parser';

/** What is wrong with a settings file, at a place in it. */
export type SettingProblem = {
  readonly file: string;
  /** From 1; null where it is the file as a whole. */
  readonly line: number | null;
  /** Of the value, such as `mcpServers.github.timeout`; empty for the file. */
  readonly path: string;
  /** What is wrong and what to do, in sentences. */
  readonly message: string;
};

/** For a user, on one line. */
export function describeProblem({ file, line, path, message }: SettingProblem): string {
  return `${escapeName(file)}:${line === null ? '' : `${line}:`} ${path === '' ? '' : `${escapeName(path)}: `}${escapeName(message)}`;
}

const words: Readonly<Record<string, string>> = {
  PropertyNameExpected: 'a name in quotes is missing here',
  ValueExpected: 'a value is missing here',
  ColonExpected: 'a colon is missing here',
  CommaExpected: 'a comma is missing before this',
  CloseBraceExpected: 'a } is missing',
  CloseBracketExpected: 'a ] is missing',
  EndOfFileExpected: 'it goes on after its end',
  UnexpectedEndOfComment: 'a comment has no end',
  UnexpectedEndOfString: 'a text has no end: its second quote is missing',
  InvalidNumberFormat: 'this is no number',
  InvalidUnicode: 'this is no character',
  InvalidEscapeCharacter: 'a \\ in a text has to be written \\\\',
  InvalidCharacter: 'a text has a line end or a tab in it',
};

/** The rest of a sentence on why a text is no JSON; `undefined` is what is nested too deeply to be read. */
export function describeJsonFault(error: Pick<ParseError, 'error'> | undefined): string {
  if (error === undefined) {
    return 'it is nested too deeply';
  }
  return words[printParseErrorCode(error.error)] ?? 'this has no meaning there';
}

const maxListed = 1_000;

/** A value of a settings file, which knows where it is, and tells of what is wrong with it. */
export class SettingsNode {
  readonly #node: Node;
  readonly #path: readonly string[];
  readonly #report: (offset: number, path: string, message: string) => void;

  constructor(node: Node, path: readonly string[], report: (offset: number, path: string, message: string) => void) {
    this.#node = node;
    this.#path = path;
    this.#report = report;
  }

  get value(): unknown {
    return getNodeValue(this.#node);
  }

  problem(message: string): void {
    this.#report(this.#node.offset, this.#path.join('.'), message);
  }

  /** The members by their names, in order; null where it is no object, which is told. Of two with one name the last counts, and that is told. */
  members(): ReadonlyMap<string, SettingsNode> | null {
    if (this.#node.type !== 'object') {
      this.problem('Has to be an object: {…}.');
      return null;
    }
    const members = new Map<string, SettingsNode>();
    for (const { children = [] } of (this.#node.children ?? []).slice(0, maxListed)) {
      const [key, value] = children;
      if (key !== undefined && value !== undefined) {
        const name = String(key.value);
        const member = new SettingsNode(value, [...this.#path, name], this.#report);
        if (members.has(name)) {
          member.problem('Is there twice. The last one counts.');
        }
        members.set(name, member);
      }
    }
    return members;
  }

  /**
   * As `members`, where only these names have a meaning: any other is told, with the nearest of these, or with the one that `meant` has for a
   * word of other programs.
   */
  membersNamed(known: readonly string[], meant: ReadonlyMap<string, string> = new Map()): SettingsMembers | null {
    const members = this.members();
    for (const [name, member] of members ?? []) {
      if (!known.includes(name)) {
        const nearest = meant.get(name) ?? nearestName(name, known);
        member.problem(
          `Unknown property.${nearest === null ? ` Known are ${known.join(', ')}.` : ` Did you mean "${nearest}"?`}`,
        );
      }
    }
    return members === null ? null : new SettingsMembers(members);
  }

  /** Null where it is no text, which is told. */
  text(): string | null {
    const { value } = this;
    return typeof value === 'string' ? value : this.#wrong('a text: "…"');
  }

  flag(): boolean | null {
    const { value } = this;
    return typeof value === 'boolean' ? value : this.#wrong('true or false');
  }

  /** A whole number of milliseconds, 1 at least. */
  milliseconds(max: number): number | null {
    const { value } = this;
    const isFit = typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max;
    return isFit ? value : this.#wrong(`a whole number of milliseconds from 1 to ${max}`);
  }

  oneOf<Word extends string>(words: readonly Word[]): Word | null {
    const { value } = this;
    const word = words.find((one) => one === value);
    const nearest = typeof value === 'string' ? nearestName(value, words) : null;
    return word ?? this.#wrong(`one of ${words.join(', ')}.${nearest === null ? '' : ` Did you mean "${nearest}"?`}`);
  }

  texts(): readonly string[] | null {
    const { value } = this;
    const isFit = Array.isArray(value) && value.length <= maxListed && value.every((one) => typeof one === 'string');
    return isFit ? value : this.#wrong('a list of texts: ["…"]');
  }

  /** Texts by names; null where it is no object of such. */
  textsByName(): ReadonlyMap<string, string> | null {
    const texts = new Map<string, string>();
    const members = this.members();
    for (const [name, member] of members ?? []) {
      const text = member.text();
      if (text !== null) {
        texts.set(name, text);
      }
    }
    return members === null ? null : texts;
  }

  #wrong(expected: string): null {
    this.problem(`Has to be ${expected.endsWith('?') || expected.endsWith('.') ? expected : `${expected}.`}`);
    return null;
  }
}

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
