import { countOf, nearestName } from '@gemini-mcp/core/internal';
import * as z from 'zod';
import { quoteValue } from '../content/quote-value.ts';
import { checkArguments } from '../input/check-arguments.ts';
import { describeInvalidArguments } from '../input/describe-invalid-arguments.ts';
import type { JsonSchemaInput } from '../input/tool-input.ts';
import type { Tool, ToolContext, ToolOutcome } from '../surface/tool.ts';
import { shownName, shownWords } from './offer-schema.ts';
import type { CatalogTool } from './server-catalog.ts';
import { serverScopes, worst } from './server-tool.ts';

const maxFound = 12;

/** The best matches include their arguments. */
const maxDescribed = 3;

const maxServers = 50;

const maxSchemaCharacters = 6_000;

/** Creates `find_tools`: finds tools of other servers that match some words. */
export function createFindToolsTool(desk: ToolDesk, introduction: string): Tool {
  const input = z.strictObject({
    query: z.string().max(300).describe('What the tool should do, in a few words, or its name.'),
    server: z.string().max(200).optional().describe('Only tools of this server.'),
  });
  const tool: Tool<typeof input> = {
    name: 'find_tools',
    title: 'Find tools of other servers',
    description: `Finds tools of the user's other MCP servers. Call them with call_tool.\n${introduction}`,
    input,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    group: 'servers',
    scopes: { always: serverScopes, byArgument: {} },
    run: async ({ query, server }) => {
      const result = await desk.search({ text: query, server: server ?? null, max: maxFound });
      return server === undefined || result.servers.includes(server)
        ? await presentFound(result, desk)
        : presentUnknown(server, result.servers);
    },
  };
  return tool;
}

function presentUnknown(server: string, servers: readonly string[]): ToolOutcome {
  const nearest = nearestName(server, servers);
  const hint =
    nearest === null
      ? `There are ${servers.slice(0, maxServers).map(shownName).join(', ')}.`
      : `Did you mean ${shownName(nearest)}?`;
  return { text: `No server "${shownName(server)}" is offered. ${hint}`, isError: true };
}

async function presentFound(
  { found, total, withheld }: Awaited<ReturnType<ToolDesk['search']>>,
  desk: ToolDesk,
): Promise<ToolOutcome> {
  const described = await Promise.all(found.slice(0, maxDescribed).map((tool) => describeWhole(tool, desk)));
  const further = found
    .slice(maxDescribed)
    .map((tool) => `- ${tool.name}: ${shownWords(tool.description, 150).replaceAll('\n', ' ')}`);
  const text = [
    found.length === 0
      ? `None of ${countOf(total, 'tool')} fits. Try other words, or an empty query for the first ones.`
      : `Found ${found.length} of ${countOf(total, 'tool')}, best first. The descriptions come from the servers.`,
    ...described,
    ...(further.length === 0 ? [] : ['More tools; call find_tools with a name for its arguments:', ...further]),
    ...(withheld === 0
      ? []
      : [
          `${countOf(withheld, 'further tool')} withheld: new or changed since approval. The user approves with: mcp approve <server>.`,
        ]),
  ];
  return { text: text.join('\n'), isError: false };
}

async function describeWhole(found: CatalogTool, desk: ToolDesk): Promise<string> {
  const made = await desk.make(found);
  if ('problem' in made) {
    return `- ${found.name}: cannot be called. ${made.problem}`;
  }
  const schema = JSON.stringify(made.tool.input.jsonSchema);
  const shown =
    schema.length > maxSchemaCharacters
      ? `An object of: ${Object.keys(Object(made.tool.input.jsonSchema['properties'])).slice(0, 100).map(shownName).join(', ')}`
      : schema;
  return `- ${found.name}: ${shownWords(found.description, 1_500)}\n  Arguments: ${shown}`;
}

/** Creates `call_tool`: calls a tool of another server by its name. */
export function createCallToolTool(desk: ToolDesk): Tool {
  const input = z.strictObject({
    name: z.string().max(200).describe('As find_tools returns it.'),
    arguments: z.record(z.string(), z.unknown()).default({}).describe('By the schema that find_tools returns.'),
  });
  const tool: Tool<typeof input> = {
    name: 'call_tool',
    title: 'Call a tool of another server',
    description: "Calls a tool of the user's other MCP servers, found with find_tools.",
    input,
    annotations: worst,
    group: 'servers',
    scopes: { always: serverScopes, byArgument: {} },
    uriSchemes: ['gemini'],
    structuresFreely: true,
    run: (args, context) => callTool(args, context, desk),
  };
  return tool;
}

async function callTool(
  { name, arguments: args }: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> },
  context: ToolContext,
  desk: ToolDesk,
): Promise<ToolOutcome> {
  const found = await desk.find(name);
  if (found === null) {
    const nearest = await desk.nearest(name);
    return refuse(
      `Unknown tool ${quoteValue(name)}. ${nearest === null ? 'Search with find_tools.' : `Did you mean ${nearest}?`}`,
    );
  }
  const made = await desk.make(found);
  if ('problem' in made) {
    return refuse(made.problem);
  }
  const checked = await checkArguments(made.tool.input, args);
  return checked.isAccepted
    ? await made.tool.run(checked.args, context)
    : refuse(describeInvalidArguments(found.name, { ...checked, args }));
}

function refuse(text: string): ToolOutcome {
  return { text, isError: true, detail: { type: 'refused', reason: 'invalid-arguments' } };
}

export type ToolQuery = {
  readonly text: string;
  /** Null for all servers. */
  readonly server: string | null;
  readonly max: number;
};

export type MadeTool =
  | { readonly tool: Tool<JsonSchemaInput> }
  /** One sentence. */
  | { readonly problem: string };

/** The current catalog of tools that find_tools and call_tool serve. */
export type ToolDesk = {
  search(query: ToolQuery): Promise<{
    readonly found: readonly CatalogTool[];
    /** The number of callable tools. */
    readonly total: number;
    readonly withheld: number;
    /** The servers with callable tools. */
    readonly servers: readonly string[];
  }>;
  /** Finds a tool by its offered name; null if missing. */
  find(name: string): Promise<CatalogTool | null>;
  /** Names similar to an unknown one. */
  nearest(name: string): Promise<string | null>;
  make(tool: CatalogTool): Promise<MadeTool>;
};

/** The parts of a tool that a search reads. */
type SearchedTool = {
  readonly server: string;
  readonly tool: string;
  readonly title: string | null;
  readonly description: string;
};

/** Finds the tools that match a text, best first; all in order for an empty text. The index lives as long as the array. */
export type SearchTools = <Tool extends SearchedTool>(options: {
  readonly tools: readonly Tool[];
  readonly text: string;
  readonly max: number;
}) => readonly Tool[] | Promise<readonly Tool[]>;
