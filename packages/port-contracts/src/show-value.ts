const maxTextCharacters = 60;
const maxItems = 8;
const maxDepth = 4;

/** A value for a failure's message or a title: short, on one line, with the length of the omitted rest. */
export function showValue(value: unknown, depth: number = maxDepth): string {
  if (typeof value === 'string') {
    return showText(value);
  }
  if (value instanceof AbortSignal) {
    return value.aborted ? 'an aborted signal' : 'a signal';
  }
  if (value instanceof Uint8Array) {
    return `${value.length} bytes`;
  }
  if (value instanceof Error) {
    return `${value.name}: ${showText(value.message)}`;
  }
  if (typeof value === 'object' && value !== null) {
    return depth === 0 ? '…' : showObject(value, depth - 1);
  }
  return String(value);
}

function showText(text: string): string {
  if (text.length <= maxTextCharacters) {
    return JSON.stringify(text);
  }
  return `${JSON.stringify(text.slice(0, maxTextCharacters))}… (${text.length} characters)`;
}

function showObject(value: object, depth: number): string {
  if (Array.isArray(value)) {
    return `[${showItems(value.map((item) => showValue(item, depth)))}]`;
  }
  return `{${showItems(Object.entries(value).map(([name, item]) => `${showName(name)}: ${showValue(item, depth)}`))}}`;
}

function showName(name: string): string {
  return /^\w+$/.test(name) ? name : showText(name);
}

function showItems(items: readonly string[]): string {
  const more = items.length - maxItems;
  return [...items.slice(0, maxItems), ...(more > 0 ? [`… and ${more} more`] : [])].join(', ');
}
