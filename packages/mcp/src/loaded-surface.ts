import type {
  Prompt as ListedPrompt,
  ResourceTemplate as ListedTemplate,
  Tool as ListedTool,
} from '@modelcontextprotocol/sdk/types.js';
import { presentTool } from './present-tool.ts';
import { presentPrompt } from './prompts/present-prompt.ts';
import type { Prompt } from './prompts/prompt.ts';
import { presentTemplate } from './resources/present-template.ts';
import type { ResourceShelf } from './resources/resource-shelf.ts';
import type { Surface } from './surface.ts';
import type { Tool } from './tool.ts';

/** Each list is one page, because many clients read no second one: so it has to be bounded. */
const maxListed = 1_000;

/** The surface of a server, ready to be listed and used. Tools and prompts are in order of name. */
export type LoadedSurface = {
  readonly listedTools: readonly ListedTool[];
  readonly tools: ReadonlyMap<string, Tool>;
  readonly listedPrompts: readonly ListedPrompt[];
  readonly prompts: ReadonlyMap<string, Prompt>;
  readonly listedTemplates: readonly ListedTemplate[];
  readonly shelves: readonly ResourceShelf[];
};

/** Over HTTP many servers, one for each request, offer the same surface. */
const readySurfaces = new WeakMap<Surface, LoadedSurface>();

/** Surfaces that follow each other have most of their tools in common. */
const listedTools = new WeakMap<Tool, ListedTool>();

/** Rejects for a surface that cannot be offered: two tools or prompts of one name, or more than 1,000 of them. */
export async function makeReady(surface: Surface): Promise<LoadedSurface> {
  const ready = readySurfaces.get(surface) ?? presentSurface(surface);
  readySurfaces.set(surface, ready);
  return ready;
}

function presentSurface(surface: Surface): LoadedSurface {
  const tools = byName('tools', surface.tools);
  const prompts = byName('prompts', surface.prompts);
  return {
    listedTools: [...tools.values()].filter(({ isUnlisted = false }) => !isUnlisted).map(presentOnce),
    tools,
    listedPrompts: [...prompts.values()].map(presentPrompt),
    prompts,
    listedTemplates: surface.resources.flatMap((shelf) => shelf.templates).map(presentTemplate),
    shelves: surface.resources,
  };
}

function presentOnce(tool: Tool): ListedTool {
  const listed = listedTools.get(tool) ?? presentTool(tool);
  listedTools.set(tool, listed);
  return listed;
}

function byName<Item extends { readonly name: string }>(
  kind: string,
  items: readonly Item[],
): ReadonlyMap<string, Item> {
  if (items.length > maxListed) {
    throw new Error(`A surface has ${items.length} ${kind}; at most ${maxListed} fit into a list`);
  }
  const sorted = [...items].sort((a, b) => (a.name < b.name ? -1 : 1));
  const map = new Map(sorted.map((item) => [item.name, item]));
  if (map.size !== items.length) {
    throw new Error(`Two ${kind} have the same name`);
  }
  return map;
}
