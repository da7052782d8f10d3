import { formatServers, type JudgedTool, type UpstreamSnapshot, viewServers } from '@gemini-mcp/core/internal';
import { expect, it } from 'vitest';
import { drawTerminal } from '../testing/draw-terminal.ts';

function tool(
  name: string,
  description: string,
  properties: Record<string, string>,
  required: readonly string[],
): JudgedTool {
  const schemas = Object.entries(properties).map(([argument, type]) => [argument, { type }]);
  return {
    listed: {
      name,
      title: null,
      description,
      inputSchema: { type: 'object', properties: Object.fromEntries(schemas), required },
      outputSchema: null,
      annotations: {},
    },
    judgement: { type: 'offered' },
  };
}

const common = { isTrusted: false, isShared: false, digest: '', listProblem: null };
const lists = { prompts: [], resources: [], instructions: null, leftOut: [], takenAtMs: Date.UTC(2026, 10, 23, 9, 30) };

const servers: readonly UpstreamSnapshot[] = [
  {
    ...common,
    name: 'github',
    transport: 'http',
    description: 'Issues and pull requests',
    state: { type: 'connected', sinceMs: 0, failures: 0 },
    lists: {
      ...lists,
      tools: [
        tool('get_issue', 'Get details of a specific issue', { owner: 'string', repo: 'string', number: 'integer' }, [
          'owner',
          'repo',
          'number',
        ]),
        tool('search_code', 'Search for code across repositories', { query: 'string', page: 'integer' }, ['query']),
        {
          ...tool('create_issue', 'Create a new issue', { owner: 'string', repo: 'string', title: 'string' }, [
            'owner',
            'repo',
            'title',
          ]),
          judgement: { type: 'withheld', reason: 'changed', diff: '' },
        },
      ],
      prompts: [
        {
          name: 'triage',
          title: null,
          description: 'Sort new issues',
          arguments: [{ name: 'label', description: '', isRequired: false }],
        },
      ],
    },
  },
  {
    ...common,
    name: 'memory',
    transport: 'stdio',
    description: null,
    isTrusted: true,
    state: { type: 'connected', sinceMs: 0, failures: 0 },
    lists: {
      ...lists,
      tools: [tool('search_nodes', 'Search for nodes in the knowledge graph', { query: 'string' }, ['query'])],
      resources: [
        {
          uri: 'memory://knowledge-graph',
          isTemplate: false,
          name: 'graph',
          title: null,
          description: 'The full graph',
          mediaType: null,
        },
      ],
    },
  },
  {
    ...common,
    name: 'notion',
    transport: 'either',
    description: null,
    state: { type: 'awaiting-login', challenge: '' },
    lists: null,
  },
  {
    ...common,
    name: 'weather',
    transport: 'stdio',
    description: null,
    state: {
      type: 'failed',
      failure: {
        kind: 'not-started',
        detail: '"uvx" was not found, or others can write to its place. Install it, or give its absolute path.',
      },
      failures: 1,
      retryAtMs: 0,
    },
    lists: null,
  },
];

it('the picture of the status view shows what the command prints', async () => {
  const places = new Map([
    ['github', 'https://api.githubcopilot.com/mcp/'],
    ['memory', 'npx -y @modelcontextprotocol/server-memory'],
    ['notion', 'https://mcp.notion.com/mcp'],
    ['weather', 'uvx weather-mcp'],
  ]);
  const view = viewServers({ servers, off: [], problems: [], ownNames: [], sha256: () => '0', nowMs: 0, places });
  const output = formatServers(view);
  expect(Math.max(...output.split('\n').map((line) => line.length))).toBeLessThan(112);
  const title =
    'What gemini-mcp-server mcp list prints: four servers, with their states, tools, and what there is to do';
  await expect(drawTerminal({ title, command: 'gemini-mcp-server mcp list', output, kindOf })).toMatchFileSnapshot(
    '../../../../docs/pictures/mcp-list.svg',
  );
});

function kindOf(line: string): 'server' | 'todo' | 'plain' {
  return /^\S/.test(line) ? 'server' : /^ +(?:To do|Problem|withheld|check)\b/.test(line) ? 'todo' : 'plain';
}
