import { escapeName, nearestName } from '@gemini-mcp/core/internal';
import { getNodeValue, type Node, type ParseError, printParseErrorCode } from 'jsonc-parser';

/** A mistake in a settings file, with its place. */
export type SettingProblem = {
  readonly file: string;
  /** From 1; null for the file as a whole. */
  readonly line: number | null;
  /** The path of the value, such as `mcpServers.github.timeout`; empty for the file. */
  readonly path: string;
  /** The mistake and its remedy, in sentences. */
  readonly message: string;
};

/** Describes a problem for the user, on one line. */
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
  EndOfFileExpected: 'text follows after its end',
  UnexpectedEndOfComment: 'a comment has no end',
  UnexpectedEndOfString: 'a text has no end: its second quote is missing',
  InvalidNumberFormat: 'this is not a number',
  InvalidUnicode: 'this is not a character',
  InvalidEscapeCharacter: 'a \\ in a text has to be written \\\\',
  InvalidCharacter: 'a text has a line end or a tab in it',
};

/** The rest of a sentence on why a text is not JSON. `undefined` means too deep nesting. */
export function describeJsonFault(error: Pick<ParseError, 'error'> | undefined): string {
  if (error === undefined) {
    return 'it is nested too deeply';
  }
  return words[printParseErrorCode(error.error)] ?? 'this has no meaning there';
}

const maxListed = 1_000;

/** A value of a settings file. Knows its place, and reports its mistakes. */
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

  /** The members by name, in order. Reports a value that is not an object and returns null. Reports a repeated name; the last one counts. */
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
   * As `members`, for an object with only these names. Reports any other name, and suggests the nearest known one, or the one that `meant` gives for a
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

  /** Reports a value that is not a text and returns null. */
  text(): string | null {
    const { value } = this;
    return typeof value === 'string' ? value : this.#wrong('a text: "…"');
  }

  flag(): boolean | null {
    const { value } = this;
    return typeof value === 'boolean' ? value : this.#wrong('true or false');
  }

  /** A whole number of milliseconds, at least 1. */
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

  /** Texts by name; null if the value is not an object of texts. */
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

/** The members of a settings object by name. Reports an invalid member and treats it as missing. */
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

  /** Null if missing; an empty list if unreadable. */
  texts(name: string): readonly string[] | null {
    const node = this.#nodes.get(name);
    return node === undefined ? null : (node.texts() ?? []);
  }

  oneOf<Word extends string>(name: string, words: readonly Word[], otherwise: Word): Word {
    return this.#nodes.get(name)?.oneOf(words) ?? otherwise;
  }
}
