import { createHash } from 'node:crypto';
import {
  type ListedPrompt,
  type ListedResource,
  modelToolName,
  type UpstreamSnapshot,
} from '@gemini-mcp/core/internal';
import type { OfferedTool } from './server-tool.ts';

/** An offered tool, with the texts that a search reads. */
export type CatalogTool = OfferedTool & {
  readonly offeredBy: string;
  readonly title: string | null;
  readonly description: string;
};

export type CatalogPrompt = { readonly name: string; readonly server: string; readonly listed: ListedPrompt };

export type CatalogResource = { readonly server: string; readonly listed: ListedResource };

/** The tools that servers list and the selection includes. */
export type ServerCatalog = {
  /** By offered name, including withheld tools. */
  readonly tools: ReadonlyMap<string, CatalogTool>;
  readonly prompts: ReadonlyMap<string, CatalogPrompt>;
  readonly resources: readonly CatalogResource[];
};

/** The servers' tools under our names: the first of two that a server lists under one name, and neither of two whose names collide. */
export function readCatalog(servers: readonly UpstreamSnapshot[], choice: ServerChoice): ServerCatalog {
  const chosen = servers.filter(({ name }) => choosesServer(choice, name));
  const whole = chosen.filter(({ name }) => choosesWhole(choice, name));
  const tools = chosen.flatMap((server) =>
    (server.lists?.tools ?? [])
      .map((judged) => toolOf(server, judged))
      .filter(
        (tool) => choosesTool(choice, { ...tool, server: server.name }) && (!choice.readOnly || changesNothing(tool)),
      ),
  );
  const prompts = whole.flatMap(({ name: server, lists }) =>
    (lists?.prompts ?? []).map((listed) => ({ name: nameOf(server, listed.name), server, listed })),
  );
  return {
    tools: byName(tools, ({ server, judged }) => [server.name, judged.listed.name]),
    prompts: byName(prompts, ({ server, listed }) => [server, listed.name]),
    resources: whole.flatMap(({ name: server, lists }) =>
      (lists?.resources ?? []).map((listed) => ({ server, listed })),
    ),
  };
}

function toolOf(server: UpstreamSnapshot, judged: OfferedTool['judged']): CatalogTool {
  const { name, title, description } = judged.listed;
  return { name: nameOf(server.name, name), server, judged, offeredBy: server.name, title, description };
}

function changesNothing({ server, judged }: OfferedTool): boolean {
  return server.isTrusted && judged.listed.annotations['readOnlyHint'] === true;
}

function nameOf(server: string, name: string): string {
  return modelToolName({ server, tool: name, reader: 'client', sha256 });
}

function byName<Item extends { readonly name: string }>(
  items: readonly Item[],
  originOf: (item: Item) => readonly [string, string],
): ReadonlyMap<string, Item> {
  const map = new Map<string, Item>();
  const clashing = new Set<string>();
  for (const item of items) {
    const same = map.get(item.name);
    if (same === undefined) {
      map.set(item.name, item);
    } else if (originOf(same).some((part, index) => part !== originOf(item)[index])) {
      clashing.add(item.name);
    }
  }
  for (const name of clashing) {
    map.delete(name);
  }
  return map;
}

/** Whether servers list the same, by object identity: lists that were read again are new objects. */
export function isSameCatalog(before: readonly UpstreamSnapshot[], now: readonly UpstreamSnapshot[]): boolean {
  return before.length === now.length && before.every((server, index) => isSameServer(server, now[index]));
}

function isSameServer(before: UpstreamSnapshot, now: UpstreamSnapshot | undefined): boolean {
  return (
    before.name === now?.name &&
    before.digest === now.digest &&
    before.isTrusted === now.isTrusted &&
    (before.lists === now.lists || haveSameLists(before.lists, now.lists))
  );
}

function haveSameLists(before: UpstreamSnapshot['lists'], now: UpstreamSnapshot['lists']): boolean {
  return (
    before !== null &&
    now !== null &&
    before.prompts === now.prompts &&
    before.resources === now.resources &&
    before.tools.length === now.tools.length &&
    before.tools.every(
      ({ listed, judgement }, index) =>
        listed === now.tools[index]?.listed && judgement.type === now.tools[index].judgement.type,
    )
  );
}

/** Which of the other servers a client is offered, and how. */
export type ServerChoice = {
  /** Names of servers, and of tools as offered. */
  readonly names: readonly string[] | 'all';
  /** Each tool in the list, two tools that find and call the others, or whichever is smaller. */
  readonly form: 'auto' | 'listed' | 'searched';
  /** Whether to offer only the tools that a server trusted by the user declares read-only. */
  readonly readOnly: boolean;
};

/** Whether anything is selected. */
export function choosesAny({ names }: ServerChoice): boolean {
  return names === 'all' || names.length > 0;
}

/** Whether a server is selected, whole or by one of its tools. */
function choosesServer({ names }: ServerChoice, server: string): boolean {
  return names === 'all' || names.some((name) => name === server || name.startsWith(`${server}__`));
}

/** Whether a tool is selected. `name` is its offered name. */
function choosesTool(
  { names }: ServerChoice,
  { server, name }: { readonly server: string; readonly name: string },
): boolean {
  return names === 'all' || names.includes(server) || names.includes(name);
}

/** Whether prompts and resources of a server are selected: only with the whole server. */
export function choosesWhole({ names }: ServerChoice, server: string): boolean {
  return names === 'all' || names.includes(server);
}

/** Hashes the UTF-8 of a text, as hexadecimal digits. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
