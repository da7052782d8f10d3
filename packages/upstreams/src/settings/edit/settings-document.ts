import { createScanner, type Node, type ParseError, parseTree } from 'jsonc-parser';

/** A settings file as text and as a syntax tree. */
type SettingsDocument = {
  readonly text: string;
  readonly root: Node;
  /** The indentation of one level. */
  readonly indent: string;
  readonly lineEnd: '\n' | '\r\n';
};

/** Null if the text is not a JSON object. */
export function parseSettings(text: string): SettingsDocument | null {
  const errors: ParseError[] = [];
  // Replaces a byte order mark by a blank, which keeps all offsets.
  const plain = text.startsWith('\ufeff') ? ` ${text.slice(1)}` : text;
  const root = parseTree(plain, errors, { allowTrailingComma: true });
  if (root?.type !== 'object' || errors.length > 0) {
    return null;
  }
  const indent = /^(?:\t| {1,8})(?=\S)/m.exec(text)?.[0] ?? '  ';
  return { text, root, indent, lineEnd: text.includes('\r\n') ? '\r\n' : '\n' };
}

/** The members of an object with this name: more than one if it is repeated. */
export function membersOf(object: Node, name: string): readonly Node[] {
  return (object.children ?? []).filter(({ children }) => children?.[0]?.value === name);
}

export function valueIn(member: Node | undefined): Node | undefined {
  return member?.children?.[1];
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

/** The end of the comma that follows a member of an object; null if another member or the end comes first. */
function commaAfter({ text }: SettingsDocument, offset: number): number | null {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  return text.charAt(scanner.getTokenOffset()) === ',' ? scanner.getPosition() : null;
}

/** The end of the blanks and comments on the same line. Returns the same offset if anything else follows. */
function endOfNotes({ text }: SettingsDocument, offset: number): number {
  const notes = /^(?:[ \t]|\/\*[^\r\n]*?\*\/)*(?:\/\/[^\r\n]*)?/.exec(text.slice(offset))?.[0] ?? '';
  const end = offset + notes.length;
  return end === text.length || /[\r\n]/.test(text.charAt(end)) ? end : offset;
}

/** The indentation of the line at an offset. */
function indentAt({ text }: SettingsDocument, offset: number): string {
  const start = lineStart(text, offset);
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}

function lineStart(text: string, offset: number): number {
  return Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
}

/**
 * Sets a value at a path of names: replaces the existing value, or adds it after the last member of its object. Everything else stays as it is, to
 * the last blank and comment. Null if the text is not JSON, or the path leads through a value that is not an object.
 */
export function setSetting(text: string, path: readonly string[], value: unknown): string | null {
  const document = parseSettings(text);
  return document === null ? null : setBelow(document, document.root, path, value);
}

function setBelow(
  document: SettingsDocument,
  object: Node,
  [name, ...others]: readonly string[],
  value: unknown,
): string | null {
  if (object.type !== 'object' || name === undefined) {
    return null;
  }
  const there = valueIn(membersOf(object, name).at(-1));
  if (there === undefined) {
    // Builds from the inside out, so that a name such as `__proto__` has no special meaning.
    const nested = others.reduceRight<unknown>((inner, other) => Object.fromEntries([[other, inner]]), value);
    return insert(document, object, [{ name, value: nested }]);
  }
  if (others.length > 0) {
    return setBelow(document, there, others, value);
  }
  const { text } = document;
  const isShort = isOnOneLine(document, there) && (typeof value !== 'object' || !text.trimEnd().includes('\n'));
  const written = isShort ? JSON.stringify(value) : write(document, value, indentAt(document, there.offset));
  return text.slice(0, there.offset) + written + text.slice(endOf(there));
}

/**
 * Adds members after the last one of the object at a path of names. The object must not have these names yet. Null as for `setSetting`, and if the
 * object is missing.
 */
export function addSettings(text: string, path: readonly string[], members: readonly Member[]): string | null {
  const document = parseSettings(text);
  const object = path.reduce<Node | undefined>(
    (node, name) => (node?.type === 'object' ? valueIn(membersOf(node, name).at(-1)) : undefined),
    document?.root,
  );
  return document === null || object?.type !== 'object' ? null : insert(document, object, members);
}

type Member = { readonly name: string; readonly value: unknown };

function insert(document: SettingsDocument, object: Node, members: readonly Member[]): string {
  const { text, lineEnd, indent } = document;
  const last = object.children?.at(-1);
  const outer = indentAt(document, object.offset);
  if (last === undefined) {
    const inside = text.slice(object.offset + 1, endOf(object) - 1).trimEnd();
    const line = `${lineEnd}${outer}${indent}${membersText(document, members, outer + indent)}`;
    return `${text.slice(0, object.offset + 1)}${inside}${line}${lineEnd}${outer}${text.slice(endOf(object) - 1)}`;
  }
  const comma = commaAfter(document, endOf(last));
  const end = endOfNotes(document, comma ?? endOf(last));
  const before = text.slice(0, endOf(last)) + (comma === null ? ',' : '') + text.slice(endOf(last), end);
  const after = (comma === null ? '' : ',') + text.slice(end);
  if (isOnOneLine(document, object)) {
    const written = members.map(({ name, value }) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
    return `${before} ${written.join(', ')}${after}`;
  }
  const inner = indentAt(document, last.offset);
  return `${before}${lineEnd}${inner}${membersText(document, members, inner)}${after}`;
}

function membersText(document: SettingsDocument, members: readonly Member[], inner: string): string {
  const written = members.map(({ name, value }) => `${JSON.stringify(name)}: ${write(document, value, inner)}`);
  return written.join(`,${document.lineEnd}${inner}`);
}

/** As JSON, with every line but the first indented. */
function write({ indent, lineEnd }: SettingsDocument, value: unknown, setIn: string): string {
  return JSON.stringify(value, null, indent).replaceAll('\n', `${lineEnd}${setIn}`);
}

function isOnOneLine({ text }: SettingsDocument, node: Node): boolean {
  return !/[\r\n]/.test(text.slice(node.offset, endOf(node)));
}

/**
 * Removes the member at a path of names, with the comment after it on its line. Everything else stays as it is. Null if the text is not JSON or has
 * no such member.
 */
export function removeSetting(text: string, path: readonly string[]): string | null {
  const document = parseSettings(text);
  const name = path.at(-1);
  const object = path
    .slice(0, -1)
    .reduce(
      (node, one) => (node?.type === 'object' ? valueIn(membersOf(node, one).at(-1)) : undefined),
      document?.root,
    );
  const member = object?.type === 'object' && name !== undefined ? membersOf(object, name).at(-1) : undefined;
  if (document === null || object === undefined || member === undefined) {
    return null;
  }
  const comma = commaAfter(document, endOf(member));
  const without = cut(document, member.offset, comma ?? endOf(member));
  const members = object.children ?? [];
  const previous = members[members.indexOf(member) - 1];
  // The last member's comma precedes it.
  const before = comma === null && previous !== undefined ? commaAfter(document, endOf(previous)) : null;
  return before === null ? without : without.slice(0, before - 1) + without.slice(before);
}

/** Removes the whole line if nothing else is on it. */
function cut(document: SettingsDocument, from: number, to: number): string {
  const { text } = document;
  const start = lineStart(text, from);
  const end = endOfNotes(document, to);
  const isAlone = text.slice(start, from).trim() === '' && /^(?:$|[\r\n])/.test(text.slice(end, end + 1));
  if (!isAlone) {
    return text.slice(0, from) + text.slice(to).replace(/^[ \t]+/, '');
  }
  const lineEnd = /^(?:\r\n|[\r\n])/.exec(text.slice(end, end + 2))?.[0] ?? '';
  return text.slice(0, start) + text.slice(end + lineEnd.length);
}
