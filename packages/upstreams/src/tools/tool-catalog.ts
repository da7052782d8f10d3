import {
  findToolFlags,
  type JudgedTool,
  modelToolName,
  type ServerTool,
  type ToolFlag,
  toModelTools,
  type UpstreamSnapshot,
  type UpstreamTool,
} from '@gemini-mcp/core/internal';
import { digestOf } from '../digest-of.ts';
import type { SearchedTool } from './search-tools.ts';

/** A tool as Gemini sees it, with the data that its calls need. */
export type ShelvedTool = UpstreamTool &
  SearchedTool & {
    readonly outputSchema: Readonly<Record<string, unknown>> | null;
    /** Oddities of the tool: sentences for the user. */
    readonly warnings: readonly string[];
  };

/** A tool that Gemini does not get; `reason` is a sentence for Gemini and for the user. */
export type WithheldTool = ServerTool & { readonly reason: string };

/** The servers' tools for Gemini. */
export type ToolCatalog = {
  /** In the order of the servers and of their lists. */
  readonly tools: readonly ShelvedTool[];
  readonly byName: ReadonlyMap<string, ShelvedTool>;
  /** Withheld tools by the names they would have. */
  readonly keptBack: ReadonlyMap<string, WithheldTool>;
};

/** Builds the shelf of servers, and reuses it while their lists are unchanged. */
export class ToolShelves {
  readonly #ownNames: readonly string[];
  #last: { readonly madeOf: readonly unknown[]; readonly catalog: ToolCatalog } | null = null;

  /** `ownNames`: our own tools, which a server's tool must not resemble. */
  constructor(ownNames: readonly string[]) {
    this.#ownNames = ownNames;
  }

  of(servers: readonly UpstreamSnapshot[]): ToolCatalog {
    const madeOf = servers.flatMap(({ name, lists }) => [name, ...(lists?.tools ?? []).flatMap(partsOf)]);
    const last = this.#last;
    if (last !== null && last.madeOf.length === madeOf.length && last.madeOf.every((part, at) => part === madeOf[at])) {
      return last.catalog;
    }
    const catalog = makeCatalog(servers, this.#ownNames);
    this.#last = { madeOf, catalog };
    return catalog;
  }
}

function partsOf({ listed, judgement }: JudgedTool): readonly unknown[] {
  return [listed, judgement.type === 'offered' ? 'offered' : judgement.reason];
}

function makeCatalog(servers: readonly UpstreamSnapshot[], ownNames: readonly string[]): ToolCatalog {
  const judged = servers.map(({ name, lists }) => ({ server: name, tools: lists?.tools ?? [] }));
  const { offered, setAside } = toModelTools(
    judged.map(({ server, tools }) => ({
      server,
      tools: tools.filter(({ judgement }) => judgement.type === 'offered').map(({ listed }) => listed),
    })),
    { reader: 'gemini', sha256: digestOf },
  );
  const listed = new Map(
    judged.flatMap(({ server, tools }) => tools.map((tool) => [keyOf(server, tool.listed.name), tool.listed] as const)),
  );
  const words = [...judged].flatMap(({ server, tools }) =>
    tools.map((tool) => ({ server, tool: tool.listed.name, description: tool.listed.description })),
  );
  const warnings = groupFlags(findToolFlags(words, ownNames));
  const tools = [...offered.values()].map((tool): ShelvedTool => {
    const key = keyOf(tool.server, tool.tool);
    const { title = null, description = '', outputSchema = null } = listed.get(key) ?? {};
    return { ...tool, title, description, outputSchema, warnings: warnings.get(key) ?? [] };
  });
  const withheld = judged.flatMap(({ server, tools: all }) => all.flatMap((tool) => withheldBy(server, tool)));
  return {
    tools,
    byName: new Map(tools.map((tool) => [tool.modelTool.name, tool])),
    keptBack: new Map(
      [...setAside, ...withheld].map((tool) => [modelToolName({ ...tool, reader: 'gemini', sha256: digestOf }), tool]),
    ),
  };
}

const reasons = {
  new: 'It is newer than the approval of its server, and needs approval.',
  changed: 'It changed since its approval, and needs approval again.',
  unreadable: 'Its description is too large to read.',
} as const;

function withheldBy(server: string, { listed, judgement }: JudgedTool): readonly WithheldTool[] {
  return judgement.type === 'offered' ? [] : [{ server, tool: listed.name, reason: reasons[judgement.reason] }];
}

function groupFlags(flags: readonly ToolFlag[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const { server, tool, detail } of flags) {
    const key = keyOf(server, tool);
    groups.set(key, [...(groups.get(key) ?? []), detail]);
  }
  return groups;
}

function keyOf(server: string, tool: string): string {
  return JSON.stringify([server, tool]);
}
