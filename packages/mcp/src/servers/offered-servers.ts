import type { Clock } from '@gemini-mcp/core';
import {
  countOf,
  escapeName,
  formatServers,
  nearestName,
  raceTimeout,
  type ServersView,
  type UpstreamServers,
  type UpstreamSnapshot,
} from '@gemini-mcp/core/internal';
import type { JsonObject, JsonSchemaInput } from '../input/tool-input.ts';
import type { Prompt } from '../surface/prompt.ts';
import type { ResourceProvider } from '../surface/resource-provider.ts';
import type { Surface, SurfaceSource } from '../surface/surface.ts';
import type { Tool } from '../surface/tool.ts';
import {
  createCallToolTool,
  createFindToolsTool,
  type MadeTool,
  type SearchTools,
  type ToolDesk,
  type ToolQuery,
} from './find-tools-tool.ts';
import { type OfferedSchema, offerSchema, shownName } from './offer-schema.ts';
import {
  type CatalogTool,
  choosesAny,
  choosesWhole,
  isSameCatalog,
  readCatalog,
  type ServerCatalog,
  type ServerChoice,
} from './server-catalog.ts';
import { createServerPrompt } from './server-prompt.ts';
import { createServerResources } from './server-resources.ts';
import { createServerTool, type ServerToolParts } from './server-tool.ts';

export type OfferedServersOptions = ServerToolParts & {
  /** The lists of one owner. */
  readonly servers: UpstreamServers;
  readonly choice: ServerChoice;
  readonly searchTools: SearchTools;
  /** The state of the servers, for a page on it. */
  readonly readView: ServersPageOptions['readView'];
  readonly clock: Clock;
  /** Makes of each tool of a server the one that clients call; the tool itself if missing. */
  readonly wrap?: (tool: Tool<JsonSchemaInput>, server: string) => Tool<JsonSchemaInput>;
};

/** How long a first list waits for a server whose tools are unknown. Later tools cause a notice. */
const firstWaitMs = 3_000;

/** A call names its server, and waits as long as connecting may take. */
const connectMs = 30_000;

type Known = {
  readonly servers: readonly UpstreamSnapshot[];
  readonly catalog: ServerCatalog;
  readonly offer: ServerOffer;
};

/** What the other servers of one owner offer to that owner's clients. */
export class OfferedServers implements ToolDesk {
  readonly #options: OfferedServersOptions;
  readonly #schemas = new WeakMap<JsonObject, Promise<OfferedSchema>>();
  readonly #searched = new WeakMap<ServerCatalog, Map<string | null, readonly SearchedEntry[]>>();
  readonly #joined = new WeakMap<Surface, { readonly offer: ServerOffer; readonly surface: Surface }>();
  readonly #page: ResourceProvider;
  #known: Known | null = null;

  constructor(options: OfferedServersOptions) {
    this.#options = options;
    const { readView } = options;
    this.#page = createServersPage({ readView, readLeftOut: async () => (await this.#now()).offer.leftOut });
  }

  /** A surface merged with what the servers offer. The surface's own items win on equal names. */
  over(base: SurfaceSource): SurfaceSource {
    return {
      current: async (roots) => this.#join(await base.current(roots), (await this.#now()).offer),
      onChange: (listener) => {
        const { servers, choice } = this.#options;
        const stops = [base.onChange?.(listener), choosesAny(choice) ? servers.onChange(listener) : undefined];
        return () => {
          for (const stop of stops) {
            stop?.();
          }
        };
      },
    };
  }

  /**
   * A tool by the server's name from the user and the tool's name from the server; null if it is not offered. Waits for the server to
   * connect within its time limit; `unavailable` says why its list of tools is missing after that.
   */
  async toolOf(
    server: string,
    tool: string,
    signal: AbortSignal,
  ): Promise<Tool | { readonly unavailable: string } | null> {
    const unavailable = await this.#awaitLists(server, signal);
    if (unavailable !== null) {
      return { unavailable };
    }
    const { catalog } = await this.#now();
    const found = [...catalog.tools.values()].find(
      (each) => each.server.name === server && each.judged.listed.name === tool,
    );
    const made = found === undefined ? null : await this.make(found);
    return made !== null && 'tool' in made ? made.tool : null;
  }

  async search({ text, server, max }: ToolQuery): ReturnType<ToolDesk['search']> {
    const { catalog } = await this.#now();
    const tools = this.#entriesOf(catalog, server);
    const entries = await this.#options.searchTools({ tools, text, max });
    const found = entries.map(({ offered }) => offered);
    const named = tools.find(({ offered }) => offered.name === text.trim());
    const all = [...catalog.tools.values()].filter((each) => server === null || each.server.name === server);
    return {
      found: named === undefined ? found : [...new Set([named.offered, ...found])],
      total: tools.length,
      withheld: all.length - tools.length,
      servers: [...new Set([...catalog.tools.values()].map((each) => each.server.name))],
    };
  }

  async find(name: string): Promise<CatalogTool | null> {
    const { catalog } = await this.#now();
    return catalog.tools.get(name) ?? null;
  }

  async nearest(name: string): Promise<string | null> {
    const { catalog } = await this.#now();
    return nearestName(name, [...catalog.tools.keys()]);
  }

  async make(offered: CatalogTool): Promise<MadeTool> {
    const { inputSchema } = offered.judged.listed;
    const making = this.#schemas.get(inputSchema) ?? offerSchema(inputSchema);
    this.#schemas.set(inputSchema, making);
    const schema = await making;
    const { wrap = (tool) => tool } = this.#options;
    return schema.isOffered
      ? { tool: wrap(createServerTool(offered, schema, this.#options), offered.server.name) }
      : { problem: `The schema of its arguments ${schema.reason}.` };
  }

  /** Null if the lists of the server are known, or it is not offered. */
  async #awaitLists(name: string, signal: AbortSignal): Promise<string | null> {
    const { servers, choice, clock } = this.#options;
    const find = async (): Promise<UpstreamSnapshot | undefined> =>
      (await servers.list({ waitMs: 0 }, signal)).find((server) => server.name === name);
    if ((choice.names !== 'all' && !choice.names.includes(name)) || (await find())?.lists !== null) {
      return null;
    }
    let listed: () => void = () => undefined;
    const event = new Promise<void>((resolve) => {
      listed = resolve;
    });
    const look = (): void => void find().then((server) => isWaitedFor(server) || listed(), listed);
    const stop = servers.onChange(look);
    // Makes the server connect if no request has done so yet.
    void servers.list({ waitMs: 1 }, signal).then(look, listed);
    await raceTimeout({ event, durationMs: connectMs, clock }, signal);
    stop();
    const server = await find();
    return server?.lists === null ? whyUnlisted(server) : null;
  }

  async #now(): Promise<Known> {
    const { servers: source, choice } = this.#options;
    // Without offered servers nothing waits, and none of their code is loaded.
    const servers = choosesAny(choice) ? await source.list({ waitMs: firstWaitMs }, new AbortController().signal) : [];
    if (this.#known !== null && isSameCatalog(this.#known.servers, servers)) {
      return this.#known;
    }
    const catalog = readCatalog(servers, choice);
    const offer = await createOffer(catalog, { ...this.#options, desk: this });
    this.#known = { servers, catalog, offer };
    return this.#known;
  }

  #entriesOf(catalog: ServerCatalog, server: string | null): readonly SearchedEntry[] {
    const known = this.#searched.get(catalog) ?? new Map<string | null, readonly SearchedEntry[]>();
    this.#searched.set(catalog, known);
    const entries =
      known.get(server) ??
      [...catalog.tools.values()]
        .filter((tool) => tool.judged.judgement.type === 'offered' && (server === null || tool.server.name === server))
        .map((offered) => entryOf(offered));
    // Not cached for an unknown server: a caller chooses that name, and could give many.
    if (server === null || entries.length > 0) {
      known.set(server, entries);
    }
    return entries;
  }

  #join(base: Surface, offer: ServerOffer): Surface {
    const known = this.#joined.get(base);
    if (known?.offer === offer) {
      return known.surface;
    }
    const surface = {
      tools: [...base.tools, ...without(offer.tools, base.tools)],
      prompts: [...base.prompts, ...without(offer.prompts, base.prompts)],
      resources: [...base.resources, this.#page, offer.provider],
    };
    this.#joined.set(base, { offer, surface });
    return surface;
  }
}

function isWaitedFor(server: UpstreamSnapshot | undefined): boolean {
  return server?.lists === null && ['connecting', 'connected'].includes(server.state.type);
}

function whyUnlisted({ name, state, listProblem }: UpstreamSnapshot): string {
  const why = state.type === 'failed' ? state.failure.detail : (listProblem ?? '');
  return `The server ${escapeName(name)} has not listed its tools. ${why}`.trim();
}

type SearchedEntry = {
  readonly server: string;
  readonly tool: string;
  readonly title: string | null;
  readonly description: string;
  readonly offered: CatalogTool;
};

function entryOf(offered: CatalogTool): SearchedEntry {
  const { name: tool, title, description } = offered.judged.listed;
  return { server: offered.server.name, tool, title, description, offered };
}

function without<Item extends { readonly name: string }>(
  items: readonly Item[],
  taken: readonly { readonly name: string }[],
): readonly Item[] {
  const names = new Set(taken.map(({ name }) => name));
  return items.filter(({ name }) => !names.has(name));
}

type ServersPageOptions = {
  /** The state of the reader's other servers. */
  readonly readView: (signal: AbortSignal) => Promise<ServersView>;
  /** The entries that this client does not get, and why: one line each. */
  readonly readLeftOut: () => Promise<readonly string[]>;
};

const page = {
  uri: 'gemini://servers',
  name: 'servers',
  title: "The user's other MCP servers",
  description: 'The state of each, what it offers, its last error and what to do.',
  mimeType: 'text/plain',
};

/** The page on the state of other servers. Listed if there are any. */
export function createServersPage({ readView, readLeftOut }: ServersPageOptions): ResourceProvider {
  return {
    templates: [],
    list: async ({ signal }) => {
      const { servers, problems } = await readView(signal);
      return servers.length + problems.length === 0 ? [] : [page];
    },
    read: async (uri, { signal }) => {
      if (uri !== page.uri) {
        return null;
      }
      const view = await readView(signal);
      const leftOut = await readLeftOut();
      const isEmpty = view.servers.length === 0 && view.problems.length === 0;
      const none = isEmpty ? 'No other servers are configured.\n' : '';
      const told =
        leftOut.length === 0 ? '' : `\nNot offered to clients:\n${leftOut.map((line) => `  ${line}\n`).join('')}`;
      return { mimeType: page.mimeType, text: `${none}${formatServers(view)}${told}` };
    },
  };
}

/** Server offers in our own types. */
type ServerOffer = {
  readonly tools: readonly Tool[];
  readonly prompts: readonly Prompt[];
  readonly provider: ResourceProvider;
  /** Tools that cannot be offered, and why: one line each. */
  readonly leftOut: readonly string[];
};

type OfferOptions = {
  readonly servers: Pick<UpstreamServers, 'request'>;
  readonly clock: Clock;
  readonly choice: ServerChoice;
  readonly desk: ToolDesk;
};

/** A search finds the other tools: each client pays for every character of its list in each conversation. */
const maxListedTools = 24;
const maxListedCharacters = 80_000;

/** Applies even if the user selects more: a client reads one page. */
const mostListedTools = 500;

const maxPrompts = 300;
const maxNamedServers = 30;

/** Creates what clients are offered from everything that servers list. */
async function createOffer(catalog: ServerCatalog, options: OfferOptions): Promise<ServerOffer> {
  const { choice, servers, clock } = options;
  const prompts = [...catalog.prompts.values()]
    .slice(0, maxPrompts)
    .map((prompt) => createServerPrompt(prompt, options));
  return {
    ...(await createTools(catalog, options)),
    prompts: prompts.filter((prompt) => prompt !== null),
    provider: createServerResources({
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
  const offered = all.filter(({ judged }) => judged.judgement.type === 'offered');
  if (all.length === 0) {
    return { tools: [], leftOut: [] };
  }
  if (form === 'searched' || all.length > mostListedTools || (form === 'auto' && isLong(offered))) {
    return { tools: [createFindToolsTool(desk, introduce(offered)), createCallToolTool(desk)], leftOut: [] };
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

/** Names the servers: a model has to know what to search for. */
function introduce(tools: readonly CatalogTool[]): string {
  const counts = new Map<string, number>();
  for (const { offeredBy } of tools) {
    counts.set(offeredBy, (counts.get(offeredBy) ?? 0) + 1);
  }
  const names = [...counts].slice(0, maxNamedServers).map(([name, count]) => `${shownName(name)} (${count})`);
  const more = counts.size > names.length ? `, and ${countOf(counts.size - names.length, 'more server')}` : '';
  return `Servers, with their tools: ${names.join(', ')}${more}.`;
}
