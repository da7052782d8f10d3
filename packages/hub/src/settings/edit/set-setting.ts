import type { Node } from 'jsonc-parser';
import {
  commaAfter,
  endOf,
  endOfNotes,
  indentAt,
  membersOf,
  parseSettings,
  type SettingsDocument,
  valueIn,
} from './settings-document.ts';

/**
 * The text with a value put in at a path of names: in place of the one that is there, or after the last member of its object. Everything else
 * stays as it is, to the last blank and comment. Null where the text is no JSON, or something on the way is no object.
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
    // From the inside out, so that no name can be one with a meaning of its own.
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
 * The text with members put in after the last one of the object at a path of names, which has none of these. Null as for `setSetting`, and if the
 * object is not there.
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

/** As JSON, whose lines but the first are set in. */
function write({ indent, lineEnd }: SettingsDocument, value: unknown, setIn: string): string {
  return JSON.stringify(value, null, indent).replaceAll('\n', `${lineEnd}${setIn}`);
}

function isOnOneLine({ text }: SettingsDocument, node: Node): boolean {
  return !/[\r\n]/.test(text.slice(node.offset, endOf(node)));
}
