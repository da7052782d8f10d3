import { createHash } from 'node:crypto';
import {
  type ListedPrompt,
  type ListedResource,
  modelToolName,
  type UpstreamSnapshot,
} from '@gemini-mcp/core/internal';
import type { OfferedTool } from './server-tool.ts';

/** A tool as it is offered, and as a search reads it. */
export type CatalogTool = OfferedTool & {
  readonly offeredBy: string;
  readonly title: string | null;
  readonly description: string;
};

export type CatalogPrompt = { readonly name: string; readonly server: string; readonly listed: ListedPrompt };

export type CatalogResource = { readonly server: string; readonly listed: ListedResource };

/** All that servers offer and the choice leaves in. */
export type ServerCatalog = {
  /** By the names under which they are offered, those that are withheld too. */
  readonly tools: ReadonlyMap<string, CatalogTool>;
  readonly prompts: ReadonlyMap<string, CatalogPrompt>;
  readonly resources: readonly CatalogResource[];
};

/** What servers list, under names of ours: the first of two that a server lists under one name, and none of two whose names would be equal. */
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

/** Whether servers list the same, by the very objects: lists that were read again are others. */
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
  /** Names of servers, and of tools as they are offered. */
  readonly names: readonly string[] | 'all';
  /** Each tool in the list, two tools that find and call the others, or whichever is smaller. */
  readonly form: 'auto' | 'listed' | 'searched';
  /** Whether only those tools are offered of which a server that the user trusts says that they change nothing. */
  readonly readOnly: boolean;
};

/** Whether anything is. */
export function choosesAny({ names }: ServerChoice): boolean {
  return names === 'all' || names.length > 0;
}

/** Whether a server is chosen, whole or by one of its tools. */
function choosesServer({ names }: ServerChoice, server: string): boolean {
  return names === 'all' || names.some((name) => name === server || name.startsWith(`${server}__`));
}

/** Whether a tool is chosen. `name` is the one under which it is offered. */
function choosesTool(
  { names }: ServerChoice,
  { server, name }: { readonly server: string; readonly name: string },
): boolean {
  return names === 'all' || names.includes(server) || names.includes(name);
}

/** Whether prompts and resources of a server are chosen: with the whole server. */
export function choosesWhole({ names }: ServerChoice, server: string): boolean {
  return names === 'all' || names.includes(server);
}

/** Of the UTF-8 of a text, in hexadecimal digits. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
