import { escapeName, formatCount, isMetadataHost, utf8Length } from '@gemini-mcp/core/internal';
import * as z from 'zod';
import type { ContentBlock, EmbeddedResource } from './content-block.ts';
import { ContentBudget, contentLimits } from './content-budget.ts';
import { readMedia } from './read-media.ts';

export type SafeBlocksOptions = {
  /** Schemes that addresses may have besides http and https. */
  readonly uriSchemes: readonly string[];
  /** The text of the same result before the blocks: both share the bytes that a result may have. */
  readonly textBefore: string;
};

/**
 * Blocks from anywhere, bounded and safe to show: text within the bytes of a result and without characters that act; images, sounds
 * and PDFs of the type that their bytes have; addresses that lead to a page or to a resource of the server. A text in our words takes the
 * place of every other block, and says what is left out and why. Pure, and never throws.
 */
export function makeBlocksSafe(
  blocks: readonly unknown[],
  { textBefore, uriSchemes }: SafeBlocksOptions,
): readonly ContentBlock[] {
  const budget = new ContentBudget(utf8Length(textBefore));
  const toSafe = (checked: CheckedBlock): readonly ContentBlock[] => {
    if (checked === null || !('leftOut' in checked)) {
      return checked === null ? [] : [checked];
    }
    const text = budget.takeNote(`[Left out of this result: ${checked.leftOut}.]`);
    return text === null ? [] : [{ type: 'text', text }];
  };
  const hidden = blocks.length - contentLimits.blocks;
  return [
    ...blocks.slice(0, contentLimits.blocks).flatMap((block) => toSafe(checkUnknown(block, { budget, uriSchemes }))),
    ...(hidden > 0 ? toSafe({ leftOut: `${formatCount(hidden)} further parts` }) : []),
  ];
}

function checkUnknown(block: unknown, options: CheckOptions): CheckedBlock {
  const { data } = blockSchema().safeParse(block);
  return data === undefined ? { leftOut: 'a part that is no block of MCP' } : checkBlock(data, options);
}

/** A block that can be shown; or why it cannot, said of the result; or null where nothing is left of it to say. */
type CheckedBlock = ContentBlock | { readonly leftOut: string } | null;

type CheckOptions = {
  readonly budget: ContentBudget;
  /** Schemes that URIs may have besides http and https. */
  readonly uriSchemes: readonly string[];
};

const nouns = { image: 'an image', audio: 'a sound' } as const;

/** Types of texts that no client runs. Any other text is shown as what it is: text. */
const textTypes: ReadonlySet<string> = new Set(['text/plain', 'text/markdown', 'text/csv', 'application/json']);

/** Checks one block that has the form of one, and takes its room. */
function checkBlock(block: ContentBlock, options: CheckOptions): CheckedBlock {
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

const maxCharacters = 2_000;

/**
 * Why a client is not to be shown this URI, said of it; null where there is no reason. `schemes` may be used besides http and https:
 * those of resources that the server has. No other is allowed, since clients and systems act on many, such as `javascript:`, `file:` or
 * `vscode:`, and the list of those never ends.
 */
export function findUriProblem(uri: string, schemes: readonly string[]): string | null {
  if (uri.length > maxCharacters) {
    return `is longer than ${maxCharacters} characters`;
  }
  if (!/^[!-~]+$/.test(uri) || !URL.canParse(uri)) {
    return 'is no URI';
  }
  const { protocol, username, password, hostname } = new URL(uri);
  if (!['http', 'https', ...schemes].includes(protocol.slice(0, -1))) {
    return 'has a scheme that is not shown';
  }
  if (username !== '' || password !== '') {
    return 'has a login in it';
  }
  return isMetadataHost(hostname) ? 'leads to the credentials of a machine' : null;
}

let built: z.ZodType<ContentBlock> | null = null;

/** The form of a block. What else comes with it, such as icons and `_meta`, is left out. */
export function blockSchema(): z.ZodType<ContentBlock> {
  built ??= buildSchema();
  return built;
}

/** Not when the module is loaded: most results are one text. */
function buildSchema(): z.ZodType<ContentBlock> {
  const text = z.string();
  const optionalText = text.optional().catch(undefined);

  return z.discriminatedUnion('type', [
    z.object({ type: z.literal('text'), text }),
    z.object({ type: z.enum(['image', 'audio']), data: text, mimeType: text.catch('') }),
    z.object({
      type: z.literal('resource_link'),
      uri: text,
      name: text,
      title: optionalText,
      description: optionalText,
      mimeType: optionalText,
      size: z.int().min(0).optional().catch(undefined),
    }),
    z.object({
      type: z.literal('resource'),
      resource: z.union([
        z.object({ uri: text, mimeType: optionalText, text }),
        z.object({ uri: text, mimeType: optionalText, blob: text }),
      ]),
    }),
  ]);
}
