import type { ListedTool, ServerLists } from '@gemini-mcp/core/internal';
import { giving, type KeptListsMutant } from './kept-lists-mutant.ts';

function tools(change: (tool: ListedTool) => ListedTool): (lists: ServerLists) => ServerLists {
  return (lists) => ({ ...lists, tools: lists.tools.map(change) });
}

/** As assignments to a plain object leave it. */
function withoutPrototype(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return JSON.parse(JSON.stringify(schema, (key, value: unknown) => (key === '' ? value : dropPrototype(value))));
}

function dropPrototype(value: unknown): unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).filter(([name]) => name !== '__proto__'))
    : value;
}

const toolMutants: readonly KeptListsMutant[] = [
  giving(
    'loses-titles',
    'loses the titles of tools',
    tools((tool) => ({ ...tool, title: null })),
  ),
  giving(
    'trims-titles',
    'drops white space around titles',
    tools((tool) => ({ ...tool, title: tool.title?.trim() ?? null })),
  ),
  giving(
    'cuts-descriptions',
    'keeps 1,000 characters of a description',
    tools((tool) => ({ ...tool, description: tool.description.slice(0, 1_000) })),
  ),
  giving(
    'well-formed-text',
    'replaces half a surrogate pair in a description',
    tools((tool) => ({ ...tool, description: Buffer.from(tool.description).toString() })),
  ),
  giving(
    'plain-line-breaks',
    'makes line breaks of one kind',
    tools((tool) => ({ ...tool, description: tool.description.replaceAll('\r\n', '\n') })),
  ),
  giving(
    'loses-input-schemas',
    'loses the schemas of arguments',
    tools((tool) => ({ ...tool, inputSchema: { type: 'object' } })),
  ),
  giving(
    'names-of-language',
    'loses a member of a schema that is called as one of the language',
    tools((tool) => ({ ...tool, inputSchema: withoutPrototype(tool.inputSchema) })),
  ),
  giving(
    'loses-output-schemas',
    'loses the schemas of results',
    tools((tool) => ({ ...tool, outputSchema: null })),
  ),
  giving(
    'loses-annotations',
    'loses what a server claims of its tools',
    tools((tool) => ({ ...tool, annotations: {} })),
  ),
  giving('sorts-tools', 'gives the tools in alphabetical order', (lists) => ({
    ...lists,
    tools: lists.tools.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
  })),
  giving('tools-without-case', 'takes tools for one that differ only by case', (lists) => ({
    ...lists,
    tools: [...new Map(lists.tools.map((tool) => [tool.name.toLowerCase(), tool])).values()],
  })),
  giving('few-tools', 'keeps 500 tools', (lists) => ({ ...lists, tools: lists.tools.slice(0, 500) })),
];

const otherMutants: readonly KeptListsMutant[] = [
  giving('loses-prompts', 'loses the prompts', (lists) => ({ ...lists, prompts: [] })),
  giving('loses-arguments', 'loses the arguments of prompts', (lists) => ({
    ...lists,
    prompts: lists.prompts.map((prompt) => ({ ...prompt, arguments: [] })),
  })),
  giving('all-required', 'takes every argument of a prompt for required', (lists) => ({
    ...lists,
    prompts: lists.prompts.map((prompt) => ({
      ...prompt,
      arguments: prompt.arguments.map((one) => ({ ...one, isRequired: true })),
    })),
  })),
  giving('loses-resources', 'loses the resources', (lists) => ({ ...lists, resources: [] })),
  giving('loses-templates', 'gives templates as addresses', (lists) => ({
    ...lists,
    resources: lists.resources.map((one) => ({ ...one, isTemplate: false })),
  })),
  giving('loses-media-types', 'loses the media types of resources', (lists) => ({
    ...lists,
    resources: lists.resources.map((one) => ({ ...one, mediaType: null })),
  })),
  giving('loses-instructions', 'loses what a server says about itself', (lists) => ({ ...lists, instructions: null })),
  giving('invents-instructions', 'gives empty instructions where there were none', (lists) => ({
    ...lists,
    instructions: lists.instructions ?? '',
  })),
  giving('loses-left-out', 'loses what was left out', (lists) => ({ ...lists, leftOut: [] })),
  giving('no-empty-sentences', 'drops empty sentences', (lists) => ({
    ...lists,
    leftOut: lists.leftOut.filter((line) => line !== ''),
  })),
  giving('rounds-times', 'gives times in whole seconds', (lists) => ({
    ...lists,
    takenAtMs: Math.floor(lists.takenAtMs / 1_000) * 1_000,
  })),
  giving('own-time', 'gives the time of the loading', (lists) => ({ ...lists, takenAtMs: Date.now() })),
  giving('empty-is-none', 'gives nothing for lists with nothing in them', (lists) =>
    lists.tools.length === 0 ? null : lists,
  ),
];

/** What they lose of lists. */
export const keptListsTextMutants: readonly KeptListsMutant[] = [...toolMutants, ...otherMutants];
