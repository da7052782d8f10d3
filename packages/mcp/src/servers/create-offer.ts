import type { Clock } from '@gemini-mcp/core';
import { countOf, type OtherServers } from '@gemini-mcp/core/internal';
import type { Prompt } from '../prompts/prompt.ts';
import type { ResourceShelf } from '../resources/resource-shelf.ts';
import type { Tool } from '../tool.ts';
import type { ToolDesk } from './find-tools-tool.ts';
import { createCallToolTool, createFindToolsTool } from './find-tools-tool.ts';
import type { CatalogTool, ServerCatalog } from './server-catalog.ts';
import { choosesWhole, type ServerChoice } from './server-catalog.ts';
import { createServerPrompt } from './server-prompt.ts';
import { createServerShelf } from './server-shelf.ts';
import { shownName } from './shown-words.ts';

/** What servers offer, in the forms of ours. */
export type ServerOffer = {
  readonly tools: readonly Tool[];
  readonly prompts: readonly Prompt[];
  readonly shelf: ResourceShelf;
  /** Tools that cannot be offered, and why: a line each. */
  readonly leftOut: readonly string[];
};

export type OfferOptions = {
  readonly servers: Pick<OtherServers, 'request'>;
  readonly clock: Clock;
  readonly choice: ServerChoice;
  readonly desk: ToolDesk;
};

/** More tools are found by a search: each client pays for every character of its list in each conversation. */
const maxListedTools = 24;
const maxListedCharacters = 80_000;

/** Also by the user's own word: a client reads one page. */
const mostListedTools = 500;

const maxPrompts = 300;
const maxNamedServers = 30;

/** Makes what clients are offered of all that servers list. */
export async function createOffer(catalog: ServerCatalog, options: OfferOptions): Promise<ServerOffer> {
  const { choice, servers, clock } = options;
  const prompts = [...catalog.prompts.values()]
    .slice(0, maxPrompts)
    .map((prompt) => createServerPrompt(prompt, options));
  return {
    ...(await createTools(catalog, options)),
    prompts: prompts.filter((prompt) => prompt !== null),
    shelf: createServerShelf({
      resources: catalog.resources,
      isChosen: (server) => choosesWhole(choice, server),
      servers,
      clock,
    }),
  };
}

async function createTools(
  { tools }: ServerCatalog,
  { choice: { form }, desk }: OfferOptions,
): Promise<Pick<ServerOffer, 'tools' | 'leftOut'>> {
  const all = [...tools.values()];
  const lent = all.filter(({ judged }) => judged.judgement.type === 'lent');
  if (all.length === 0) {
    return { tools: [], leftOut: [] };
  }
  if (form === 'searched' || all.length > mostListedTools || (form === 'auto' && isLong(lent))) {
    return { tools: [createFindToolsTool(desk, introduce(lent)), createCallToolTool(desk)], leftOut: [] };
  }
  const made = await Promise.all(all.map(async (tool) => ({ name: tool.name, ...(await desk.make(tool)) })));
  return {
    tools: made.flatMap((each) => ('tool' in each ? [each.tool] : [])),
    leftOut: made.flatMap((each) => ('problem' in each ? [`${each.name}: ${each.problem}`] : [])),
  };
}

function isLong(tools: readonly CatalogTool[]): boolean {
  if (tools.length > maxListedTools) {
    return true;
  }
  const characters = tools.map(
    ({ judged: { listed } }) => listed.description.length + JSON.stringify(listed.inputSchema).length,
  );
  return characters.reduce((sum, each) => sum + each, 0) > maxListedCharacters;
}

/** Which servers there are: a model has to know for what to search. */
function introduce(tools: readonly CatalogTool[]): string {
  const counts = new Map<string, number>();
  for (const { offeredBy } of tools) {
    counts.set(offeredBy, (counts.get(offeredBy) ?? 0) + 1);
  }
  const names = [...counts].slice(0, maxNamedServers).map(([name, count]) => `${shownName(name)} (${count})`);
  const more = counts.size > names.length ? `, and ${countOf(counts.size - names.length, 'more server')}` : '';
  return `Servers, with their tools: ${names.join(', ')}${more}.`;
}
