import { escapeName } from '@gemini-mcp/core/internal';
import type { ContentBlock, EmbeddedResource } from './content-block.ts';
import type { ContentBudget } from './content-budget.ts';
import { contentLimits } from './content-limits.ts';
import { findUriProblem } from './find-uri-problem.ts';
import { readMedia } from './read-media.ts';

/** A block that can be shown; or why it cannot, said of the result; or null where nothing is left of it to say. */
export type CheckedBlock = ContentBlock | { readonly leftOut: string } | null;

export type CheckOptions = {
  readonly budget: ContentBudget;
  /** Schemes that URIs may have besides http and https. */
  readonly uriSchemes: readonly string[];
};

const nouns = { image: 'an image', audio: 'a sound' } as const;

/** Types of texts that no client runs. Any other text is shown as what it is: text. */
const textTypes: ReadonlySet<string> = new Set(['text/plain', 'text/markdown', 'text/csv', 'application/json']);

/** Checks one block that has the form of one, and takes its room. */
export function checkBlock(block: ContentBlock, options: CheckOptions): CheckedBlock {
  switch (block.type) {
    case 'text': {
      const text = options.budget.takeText(block.text);
      return text === null ? null : { type: 'text', text };
    }
    case 'image':
    case 'audio': {
      const read = readMedia(block.data, [block.type], options.budget);
      return 'problem' in read
        ? { leftOut: `${nouns[block.type]} that ${read.problem}` }
        : { type: block.type, ...read };
    }
    case 'resource_link':
      return checkLink(block, options);
    case 'resource':
      return checkResource(block.resource, options);
  }
}

function checkLink(
  { uri, name, title, description, mimeType, size }: Extract<ContentBlock, { type: 'resource_link' }>,
  { budget, uriSchemes }: CheckOptions,
): CheckedBlock {
  const problem = findUriProblem(uri, uriSchemes);
  if (problem !== null) {
    return { leftOut: `a link whose address ${problem}` };
  }
  const { nameCharacters, descriptionCharacters } = contentLimits;
  const link = {
    uri,
    name: showName(name, nameCharacters),
    ...(title !== undefined && { title: showName(title, nameCharacters) }),
    ...(description !== undefined && { description: showName(description, descriptionCharacters) }),
    ...(mimeType !== undefined && isTypeName(mimeType) && { mimeType }),
    ...(size !== undefined && { size }),
  };
  return budget.takeWhole(JSON.stringify(link))
    ? { type: 'resource_link', ...link }
    : { leftOut: 'a link, for want of room' };
}

function checkResource(resource: EmbeddedResource, { budget, uriSchemes }: CheckOptions): CheckedBlock {
  const { uri, mimeType = 'text/plain' } = resource;
  const problem = findUriProblem(uri, uriSchemes);
  if (problem !== null) {
    return { leftOut: `a resource whose address ${problem}` };
  }
  if ('blob' in resource) {
    const read = readMedia(resource.blob, ['image', 'audio', 'document'], budget);
    return 'problem' in read
      ? { leftOut: `a resource that ${read.problem}` }
      : { type: 'resource', resource: { uri, mimeType: read.mimeType, blob: read.data } };
  }
  const text = budget.takeWhole(uri) ? budget.takeText(resource.text) : null;
  const type = mimeType.split(';')[0]?.trim().toLowerCase() ?? '';
  return text === null
    ? { leftOut: 'a resource, for want of room' }
    : { type: 'resource', resource: { uri, mimeType: textTypes.has(type) ? type : 'text/plain', text } };
}

function showName(name: string, maxCharacters: number): string {
  return escapeName(name.length > maxCharacters ? `${name.slice(0, maxCharacters)}…` : name);
}

function isTypeName(mimeType: string): boolean {
  return /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(mimeType);
}
