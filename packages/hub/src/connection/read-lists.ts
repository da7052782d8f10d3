import type { ListedPrompt, ListedResource, ListedTool, ServerLists } from '@gemini-mcp/core/internal';
import type { CallEnd } from './call-end.ts';
import { parsePrompt, parseResource, parseTool } from './parse-listed.ts';
import { type ListPages, readPages } from './read-pages.ts';
import type { ServerConnection } from './server-connection.ts';

export type ListsReading =
  | { readonly type: 'read'; readonly lists: ServerLists }
  /** Its tools could not be read. `detail` says why. */
  | { readonly type: 'failed'; readonly detail: string };

const maxInstructionsCharacters = 20_000;

/**
 * Reads all pages of all lists that a server offers, within bounds. What is no tool, prompt or resource, or too large, is left out and spoils
 * nothing else; so is a list of prompts or resources that cannot be read.
 */
export async function readLists(connection: ServerConnection, nowMs: number, end: CallEnd): Promise<ListsReading> {
  const { offers, instructions } = connection;
  const read = async (method: string, member: string, isOffered: boolean): Promise<ListPages> =>
    isOffered ? await readPages(connection, { method, member }, end) : nothing;
  const [tools, prompts, resources, templates] = await Promise.all([
    read('tools/list', 'tools', offers.tools),
    read('prompts/list', 'prompts', offers.prompts),
    read('resources/list', 'resources', offers.resources),
    read('resources/templates/list', 'resourceTemplates', offers.resources),
  ]);
  if (tools.failure !== null) {
    return { type: 'failed', detail: tools.failure };
  }
  const fit = {
    tools: parseAll<ListedTool>(tools, 'tool', parseTool),
    prompts: parseAll<ListedPrompt>(prompts, 'prompt', parsePrompt),
    resources: parseAll<ListedResource>(resources, 'resource', (value) => parseResource(value, false)),
    templates: parseAll<ListedResource>(templates, 'resource template', (value) => parseResource(value, true)),
  };
  const lists: ServerLists = {
    tools: fit.tools.items,
    prompts: fit.prompts.items,
    resources: [...fit.resources.items, ...fit.templates.items],
    instructions: instructions?.slice(0, maxInstructionsCharacters) ?? null,
    leftOut: [fit.tools, fit.prompts, fit.resources, fit.templates].flatMap(({ leftOut }) => leftOut),
    takenAtMs: nowMs,
  };
  return { type: 'read', lists };
}

const nothing: ListPages = { items: [], leftOut: [], failure: null };

type Parsed<Item> = { readonly items: readonly Item[]; readonly leftOut: readonly string[] };

function parseAll<Item extends { readonly name: string }>(
  { items, leftOut, failure }: ListPages,
  kind: string,
  parse: (value: unknown) => Item | null,
): Parsed<Item> {
  const parsed = items.flatMap((value) => parse(value) ?? []);
  const lost = items.length - parsed.length;
  const why = failure === null ? [] : [`The list of ${kind}s could not be read: ${failure}`];
  const unfit = lost === 0 ? [] : [`${lost} of the ${kind}s: not what MCP says a ${kind} is.`];
  return { items: parsed, leftOut: [...leftOut, ...why, ...unfit] };
}
