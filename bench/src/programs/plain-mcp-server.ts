import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

// An MCP server without any library, so that next to nothing of a call's time is its own. `stdio`, or `http`: then it serves on a free port
// and prints its address. What comes after that is the number of its tools; `hangs`: then it
// answers nothing; or `slow`: then it answers after two seconds. Lives until it is killed.
const [mode = 'stdio', kind = '1'] = process.argv.slice(2);

const slowMs = 2_000;

type Message = {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly arguments?: unknown };
};

const tools = Array.from({ length: Number.parseInt(kind, 10) || 0 }, (_, index) => ({
  name: `tool_${index}`,
  description: `Says what it was asked, as number ${index} of several tools that differ in little else.`,
  inputSchema: {
    type: 'object',
    properties: { text: { type: 'string', description: 'What to say' }, count: { type: 'integer', minimum: 0 } },
    required: ['text'],
  },
}));

function resultOf({ method, params }: Message): unknown {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'plain', version: '1.0.0' },
      };
    case 'tools/list':
      return { tools };
    default:
      return { content: [{ type: 'text', text: JSON.stringify(params?.arguments) }] };
  }
}

/** Null where there is nothing to answer. */
function answerTo(line: string): string | null {
  const message: Message = JSON.parse(line);
  return message.id === undefined || kind === 'hangs'
    ? null
    : JSON.stringify({ jsonrpc: '2.0', id: message.id, result: resultOf(message) });
}

if (mode === 'stdio') {
  createInterface({ input: process.stdin }).on('line', (line) => {
    const answer = answerTo(line);
    if (answer !== null) {
      process.stdout.write(`${answer}\n`);
    }
  });
} else {
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    const answer = answerTo(await text(request));
    if (answer === null) {
      response.writeHead(202).end();
      return;
    }
    if (kind === 'slow') {
      await sleep(slowMs);
    }
    response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'plain' }).end(answer);
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.stdout.write(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/mcp\n`);
  });
}
