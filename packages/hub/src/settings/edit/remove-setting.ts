import {
  commaAfter,
  endOf,
  endOfNotes,
  lineStart,
  membersOf,
  parseSettings,
  type SettingsDocument,
  valueIn,
} from './settings-document.ts';

/**
 * The text without the member at a path of names, and without the comment after it on its line. Everything else stays as it is. Null where the
 * text is no JSON, or has no such member.
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
  // The last one's comma was before it.
  const before = comma === null && previous !== undefined ? commaAfter(document, endOf(previous)) : null;
  return before === null ? without : without.slice(0, before - 1) + without.slice(before);
}

/** With the whole line where nothing else is on it. */
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
