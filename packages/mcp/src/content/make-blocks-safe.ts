import { escapeName, formatCount, isMetadataHost, utf8Length } from '@gemini-mcp/core/internal';
import * as z from 'zod';
import type { ContentBlock, EmbeddedResource } from './content-block.ts';
import { ContentBudget, contentLimits } from './content-budget.ts';
import { readMedia } from './read-media.ts';

export type SafeBlocksOptions = {
  /** Schemes that addresses may have besides http and https. */
  readonly uriSchemes: readonly string[];
  /** The text of the same result, which comes before the blocks: both share the byte limit. */
  readonly textBefore: string;
};

/**
 * Bounds blocks from any source and makes them safe to show. Text keeps to the byte limit and loses characters that act on a terminal;
 * images, sounds and PDFs get the type that their bytes show; addresses lead to a page or a resource of the server. A note replaces
 * every other block and gives the reason. Pure, and never throws.
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
  return data === undefined ? { leftOut: 'a part that is not an MCP block' } : checkBlock(data, options);
}

/** A block that can be shown, the reason that it cannot, or null if no bytes remain even for the reason. */
type CheckedBlock = ContentBlock | { readonly leftOut: string } | null;

type CheckOptions = {
  readonly budget: ContentBudget;
  /** Schemes that URIs may have besides http and https. */
  readonly uriSchemes: readonly string[];
};

const nouns = { image: 'an image', audio: 'a sound' } as const;

/** Text types that no client runs. Any other text is shown as text/plain. */
const textTypes: ReadonlySet<string> = new Set(['text/plain', 'text/markdown', 'text/csv', 'application/json']);

/** Checks one block that has a valid form, and reserves its bytes. */
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
    : { leftOut: 'a link that did not fit' };
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
    ? { leftOut: 'a resource that did not fit' }
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
 * Why a client must not see this URI, as a predicate ("has a login in it"); null if it may. `schemes` are allowed besides http and
 * https: those of the server's resources. Every other scheme is refused, because clients and systems act on many, such as
 * `javascript:`, `file:` or `vscode:`, and a list of those would never be complete.
 */
export function findUriProblem(uri: string, schemes: readonly string[]): string | null {
  if (uri.length > maxCharacters) {
    return `is longer than ${maxCharacters} characters`;
  }
  if (!/^[!-~]+$/.test(uri) || !URL.canParse(uri)) {
    return 'is not a URI';
  }
  const { protocol, username, password, hostname } = new URL(uri);
  if (!['http', 'https', ...schemes].includes(protocol.slice(0, -1))) {
    return 'has a scheme that is not allowed';
  }
  if (username !== '' || password !== '') {
    return 'has a login in it';
  }
  return isMetadataHost(hostname) ? 'leads to the credentials of a machine' : null;
}

let built: z.ZodType<ContentBlock> | null = null;

/** The form of a block. Other members, such as icons and `_meta`, are dropped. */
export function blockSchema(): z.ZodType<ContentBlock> {
  built ??= buildSchema();
  return built;
}

/** Built on first use: most results are one text. */
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
