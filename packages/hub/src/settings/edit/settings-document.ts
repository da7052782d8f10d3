import { createScanner, type Node, type ParseError, parseTree } from 'jsonc-parser';

/** A settings file as text and as the tree of what it says. */
export type SettingsDocument = {
  readonly text: string;
  readonly root: Node;
  /** What one level is set in by. */
  readonly indent: string;
  readonly lineEnd: '\n' | '\r\n';
};

/** Null for a text that is no JSON, or whose whole is no object. */
export function parseSettings(text: string): SettingsDocument | null {
  const errors: ParseError[] = [];
  // A mark at the beginning of the file counts as a blank, and stays.
  const plain = text.startsWith('\ufeff') ? ` ${text.slice(1)}` : text;
  const root = parseTree(plain, errors, { allowTrailingComma: true });
  if (root?.type !== 'object' || errors.length > 0) {
    return null;
  }
  const indent = /^(?:\t| {1,8})(?=\S)/m.exec(text)?.[0] ?? '  ';
  return { text, root, indent, lineEnd: text.includes('\r\n') ? '\r\n' : '\n' };
}

/** The members of an object with this name: several where it is there more than once. */
export function membersOf(object: Node, name: string): readonly Node[] {
  return (object.children ?? []).filter(({ children }) => children?.[0]?.value === name);
}

export function valueIn(member: Node | undefined): Node | undefined {
  return member?.children?.[1];
}

export function endOf({ offset, length }: Node): number {
  return offset + length;
}

/** Where the next comma of an object ends, from the end of one of its members on; null where a member or the end comes first. */
export function commaAfter({ text }: SettingsDocument, offset: number): number | null {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  return text.charAt(scanner.getTokenOffset()) === ',' ? scanner.getPosition() : null;
}

/** The end of what is on the same line: blanks and comments. The same offset where something else comes. */
export function endOfNotes({ text }: SettingsDocument, offset: number): number {
  const notes = /^(?:[ \t]|\/\*[^\r\n]*?\*\/)*(?:\/\/[^\r\n]*)?/.exec(text.slice(offset))?.[0] ?? '';
  const end = offset + notes.length;
  return end === text.length || /[\r\n]/.test(text.charAt(end)) ? end : offset;
}

/** The blanks at the beginning of the line of an offset. */
export function indentAt({ text }: SettingsDocument, offset: number): string {
  const start = lineStart(text, offset);
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}

export function lineStart(text: string, offset: number): number {
  return Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
}
