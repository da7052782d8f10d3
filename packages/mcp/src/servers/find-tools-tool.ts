import { countOf, nearestName } from '@gemini-mcp/core/internal';
import * as z from 'zod';
import type { Tool, ToolOutcome } from '../tool.ts';
import type { CatalogTool } from './server-catalog.ts';
import { serverScopes } from './server-tool.ts';
import { shownName, shownWords } from './shown-words.ts';
import type { ToolDesk } from './tool-desk.ts';

const maxFound = 12;

/** The best come with their arguments. */
const maxDescribed = 3;

const maxServers = 50;

const maxSchemaCharacters = 6_000;

/** Makes `find_tools`: words to the tools of other servers that fit them. */
export function createFindToolsTool(desk: ToolDesk, introduction: string): Tool {
  const input = z.strictObject({
    query: z.string().max(300).describe('What the tool is to do, in a few words, or its name.'),
    server: z.string().max(200).optional().describe('Only tools of this server.'),
  });
  const tool: Tool<typeof input> = {
    name: 'find_tools',
    title: 'Find tools of other servers',
    description: `Finds tools of the user's other MCP servers. Call what it finds with call_tool.\n${introduction}`,
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
      : `Found ${found.length} of ${countOf(total, 'tool')}, the best first. What follows are the words of the servers.`,
    ...described,
    ...(further.length === 0 ? [] : ['Further ones, whose arguments find_tools tells by their name:', ...further]),
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
