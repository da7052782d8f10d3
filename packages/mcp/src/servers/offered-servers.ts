import type { Clock } from '@gemini-mcp/core';
import { escapeName, nearestName, type OtherServer, type OtherServers, waitAtMost } from '@gemini-mcp/core/internal';
import type { JsonObject } from '../input/tool-input.ts';
import type { ResourceShelf } from '../resources/resource-shelf.ts';
import type { Surface } from '../surface.ts';
import type { SurfaceSource } from '../surface-source.ts';
import type { Tool } from '../tool.ts';
import { createOffer, type ServerOffer } from './create-offer.ts';
import type { MadeTool, SearchTools, ToolDesk, ToolQuery } from './find-tools-tool.ts';
import { type OfferedSchema, offerSchema } from './offer-schema.ts';
import {
  type CatalogTool,
  choosesAny,
  isSameCatalog,
  readCatalog,
  type ServerCatalog,
  type ServerChoice,
} from './server-catalog.ts';
import { createServerTool, type ServerToolParts } from './server-tool.ts';
import { createServersPage, type ServersPageOptions } from './servers-page.ts';

export type OfferedServersOptions = ServerToolParts & {
  /** Those of one owner. */
  readonly servers: OtherServers;
  readonly choice: ServerChoice;
  readonly searchTools: SearchTools;
  /** How the servers are, for a page on it. */
  readonly readView: ServersPageOptions['readView'];
  readonly clock: Clock;
};

/** How long a first list waits for a server of which nothing is known. What comes later is told by a notice. */
const firstWaitMs = 3_000;

/** A call names its server, and waits for as long as that may take to connect. */
const connectMs = 30_000;

type Known = { readonly servers: readonly OtherServer[]; readonly catalog: ServerCatalog; readonly offer: ServerOffer };

/** What the other servers of one owner offer to that owner's clients. */
export class OfferedServers implements ToolDesk {
  readonly #options: OfferedServersOptions;
  readonly #schemas = new WeakMap<JsonObject, Promise<OfferedSchema>>();
  readonly #searched = new WeakMap<ServerCatalog, Map<string | null, readonly SearchedEntry[]>>();
  readonly #joined = new WeakMap<Surface, { readonly offer: ServerOffer; readonly surface: Surface }>();
  readonly #page: ResourceShelf;
  #known: Known | null = null;

  constructor(options: OfferedServersOptions) {
    this.#options = options;
    const { readView } = options;
    this.#page = createServersPage({ readView, readLeftOut: async () => (await this.#now()).offer.leftOut });
  }

  /** A surface together with what the servers offer. Where names are the same, those of the surface count. */
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
   * A tool by the names that the user gave the server and the server gave the tool; null if it is not offered. The server may take the time that
   * it has to connect; `unavailable` says why it has no list of its tools after that.
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
    return schema.isOffered
      ? { tool: createServerTool(offered, schema, this.#options) }
      : { problem: `The schema of its arguments ${schema.reason}.` };
  }

  /** Null if the lists of the server are known, or it is not offered. */
  async #awaitLists(name: string, signal: AbortSignal): Promise<string | null> {
    const { servers, choice, clock } = this.#options;
    const find = async (): Promise<OtherServer | undefined> =>
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
    // Has it connected, where nothing has asked for it yet.
    void servers.list({ waitMs: 1 }, signal).then(look, listed);
    await waitAtMost({ event, durationMs: connectMs, clock }, signal);
    stop();
    const server = await find();
    return server?.lists === null ? whyUnlisted(server) : null;
  }

  async #now(): Promise<Known> {
    const { servers: source, choice } = this.#options;
    // Where none is offered, nothing waits for any, and nothing of them is loaded.
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
        .filter((tool) => tool.judged.judgement.type === 'lent' && (server === null || tool.server.name === server))
        .map((offered) => entryOf(offered));
    // A server that there is not: its name is a caller's, who could give many.
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
      resources: [...base.resources, this.#page, offer.shelf],
    };
    this.#joined.set(base, { offer, surface });
    return surface;
  }
}

function isWaitedFor(server: OtherServer | undefined): boolean {
  return server?.lists === null && ['connecting', 'connected'].includes(server.state.type);
}

function whyUnlisted({ name, state, listProblem }: OtherServer): string {
  const why = state.type === 'failed' ? state.failure.detail : (listProblem ?? '');
  return `The server ${escapeName(name)} has not said which tools it has. ${why}`.trim();
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
