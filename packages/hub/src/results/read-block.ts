import { readMedia } from './read-media.ts';
import { isObject, type JsonObject, type ResultPart } from './server-result.ts';
import { shownName } from './shown-name.ts';

const readers: ReadonlyMap<unknown, (block: JsonObject) => readonly ResultPart[]> = new Map([
  ['text', ({ text }: JsonObject) => (typeof text === 'string' ? [{ text }] : [])],
  ['image', ({ data, mimeType }: JsonObject) => [readMedia({ kind: 'Image', data, mimeType })]],
  ['audio', ({ data, mimeType }: JsonObject) => [readMedia({ kind: 'Audio', data, mimeType })]],
  ['resource', ({ resource }: JsonObject) => readResource(resource)],
  ['resource_link', (link: JsonObject) => [{ text: describeLink(link) }]],
]);

/** The parts of one block of a result. What is not known is named. */
export function readBlock(block: unknown): readonly ResultPart[] {
  if (!isObject(block)) {
    return [{ text: '[A block left out: it is no object.]' }];
  }
  const read = readers.get(block['type']);
  return read?.(block) ?? [{ text: `[A block left out: its kind ${shownName(block['type'])} is not known here.]` }];
}

function readResource(resource: unknown): readonly ResultPart[] {
  if (!isObject(resource)) {
    return [{ text: '[A resource left out: there is nothing in it.]' }];
  }
  const { uri, mimeType, text, blob } = resource;
  const name = `[Resource ${shownName(uri)}]`;
  if (typeof text === 'string') {
    return [{ text: `${name}\n${text}` }];
  }
  return [{ text: name }, readMedia({ kind: 'Its content', data: blob, mimeType })];
}

/** A link is shown and never followed: it may lead anywhere. */
function describeLink({ uri, name, title, mimeType, size }: JsonObject): string {
  const label = [title, name].find((one) => typeof one === 'string' && one !== '');
  const about = [
    ...(label === undefined ? [] : [shownName(label)]),
    ...(typeof mimeType === 'string' ? [shownName(mimeType)] : []),
    ...(typeof size === 'number' ? [`${size} bytes`] : []),
  ];
  const detail = about.length === 0 ? '' : ` (${about.join(', ')})`;
  return `[Link to a resource, not followed: ${shownName(uri)}${detail}]`;
}
