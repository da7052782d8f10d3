/** One file as it appears in a message to the model. */
export type FileElement = {
  readonly path: string;
  readonly text: string;
};

export type ParsedMessage = {
  readonly files: readonly FileElement[];
  /** The text outside the elements. */
  readonly rest: string;
};

const OPEN_TAG = /<file((?:\s+[\w-]{1,40}="[^"]{0,8192}")+)\s*>/g;

/**
 * Finds the `<file path="…" …>` elements of a message, in order. An element with a `boundary` ends only at the closing tag
 * with the same boundary, any other at the next `</file>`. Text that is never closed is not an element.
 */
export function parseFileElements(message: string): ParsedMessage {
  const files: FileElement[] = [];
  const rest: string[] = [];
  const openTag = new RegExp(OPEN_TAG);
  let position = 0;
  for (let match = openTag.exec(message); match !== null; match = openTag.exec(message)) {
    const element = readElement(message, openTag.lastIndex, match[1] ?? '');
    if (element !== null) {
      files.push({ path: element.path, text: element.text });
      rest.push(message.slice(position, match.index));
      position = element.end;
      openTag.lastIndex = position;
    }
  }
  return { files, rest: [...rest, message.slice(position)].join('') };
}

function readElement(message: string, start: number, attributes: string): (FileElement & { end: number }) | null {
  const path = readAttribute(attributes, 'path');
  const boundary = readAttribute(attributes, 'boundary');
  const closeTag = boundary === null ? '</file>' : `</file boundary="${boundary}">`;
  const end = message.indexOf(closeTag, start);
  if (path === null || end < 0) {
    return null;
  }
  return { path, text: withoutFrame(message.slice(start, end)), end: end + closeTag.length };
}

/** The line breaks around the content belong to the tags, not to the file. */
function withoutFrame(text: string): string {
  return text.startsWith('\n') ? text.slice(1).replace(/\n$/, '') : text;
}

function readAttribute(attributes: string, name: string): string | null {
  return new RegExp(`\\s${name}="([^"]*)"`).exec(attributes)?.[1] ?? null;
}
