import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

/** An MCP server of somebody else, with one tool: the user of the demonstration has it besides ours. */
const server = new Server({ name: 'tracker', version: '1.0.0' }, { capabilities: { tools: {} } });

server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: [
    {
      name: 'get_issue',
      description: 'Reads an issue of the tracker.',
      inputSchema: { type: 'object', properties: { number: { type: 'integer' } }, required: ['number'] },
    },
  ],
}));

server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({
  content: [{ type: 'text', text: `Issue ${params.arguments?.['number']}: sum(2, 3) is -1. It should be 5.` }],
}));

await server.connect(new StdioServerTransport());
