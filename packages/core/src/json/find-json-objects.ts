/** Braces in prose do not begin objects: after this many of them, the search stops. */
const maxBeginnings = 50;

/** Each unclosed brace is followed to the end of the text: this limits the total to a tenth of a second. */
const maxCharactersFollowed = 10_000_000;

/** The JSON objects in a text, in order, whatever surrounds them: words, a code fence, other objects. */
export function* findJsonObjects(text: string): Generator<Readonly<Record<string, unknown>>> {
  let start = text.indexOf('{');
  let followed = 0;
  for (let count = 0; start !== -1 && count < maxBeginnings && followed < maxCharactersFollowed; count += 1) {
    const end = endOfBraces(text, start);
    followed += (end === -1 ? text.length : end) - start;
    const object = end === -1 ? null : parseObject(text.slice(start, end));
    if (object !== null) {
      yield object;
    }
    start = text.indexOf('{', object === null ? start + 1 : end);
  }
}

/** The place after the brace that closes the one at `start`, ignoring braces in strings; -1 if it is never closed. */
function endOfBraces(text: string, start: number): number {
  let depth = 0;
  for (let place = start; place < text.length; place += 1) {
    const character = text[place];
    if (character === '"') {
      place = endOfString(text, place);
    } else if (character === '{') {
      depth += 1;
    } else if (character === '}') {
      depth -= 1;
    }
    if (depth === 0) {
      return place + 1;
    }
  }
  return -1;
}

/** The quote that closes the one at `start`, or the end of the text. */
function endOfString(text: string, start: number): number {
  let place = start + 1;
  while (place < text.length && text[place] !== '"') {
    place += text[place] === '\\' ? 2 : 1;
  }
  return place;
}

function parseObject(json: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}
