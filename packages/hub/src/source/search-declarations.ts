import type { LentTool } from '@gemini-mcp/core';
import { countOf, escapeName, type OtherServer } from '@gemini-mcp/core/internal';

/** The tools in place of more tools than are declared. */
export const findTools = 'find_tools';
export const callTool = 'call_tool';

/** Each request of a run has them: some 300 tokens of names. */
const maxServersCharacters = 1_200;
const maxNameCharacters = 60;
const maxDescriptionCharacters = 100;

/** The declarations of `find_tools` and `call_tool`, with the servers whose tools they reach. */
export function declareSearch(servers: readonly OtherServer[]): readonly LentTool[] {
  const find: LentTool = {
    name: findTools,
    description:
      'Finds tools of other servers by what they do: returns their names, a line on each, and the arguments of the best. Look here before you ' +
      `say that something cannot be done. The servers:\n${listServers(servers)}`,
    inputSchema: {
      type: 'object',
      properties: {
        query: {
          type: 'string',
          description: 'What the tool should do, in a few English words, or the name of a tool.',
        },
        server: { type: 'string', description: 'Looks among the tools of this server alone.' },
      },
      required: ['query'],
    },
    changes: false,
  };
  const call: LentTool = {
    name: callTool,
    description: `Calls a tool that ${findTools} has found.`,
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', description: `Its name, as ${findTools} tells it.` },
        arguments: { type: 'object', description: 'As its schema has them.' },
      },
      required: ['name', 'arguments'],
    },
    changes: true,
  };
  return [find, call];
}

function listServers(servers: readonly OtherServer[]): string {
  const lines: string[] = [];
  let characters = 0;
  for (const server of servers) {
    const line = describeServer(server);
    characters += line.length + 1;
    if (characters > maxServersCharacters) {
      break;
    }
    lines.push(line);
  }
  const missing = servers.length - lines.length;
  return [...lines, ...(missing > 0 ? [`and ${countOf(missing, 'more server')}`] : [])].join('\n');
}

function describeServer({ name, description, lists }: OtherServer): string {
  const tools = lists === null ? 'not listed yet' : countOf(lists.tools.length, 'tool');
  const words = description === null ? '' : `: ${escapeName(description.slice(0, maxDescriptionCharacters))}`;
  return `${escapeName(name.slice(0, maxNameCharacters))} (${tools})${words}`;
}
