import { createServer, type ServerResponse } from 'node:http';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

// An MCP server without any library, so that next to nothing of a call's time is its own. Over HTTP it serves on a free port and prints its
// address. The second word is the number of its tools; `hangs`, and it answers nothing; `slow`, and it answers after two seconds; or what
// it answers a call with, without end: `requests`, `notifications` or `comments`. Lives until it is killed.
const [transport = 'stdio', kind = '1'] = process.argv.slice(2);

const slowMs = 2_000;
/** A flood stops by itself, whatever becomes of its client. */
const floodMs = 20_000;
const messagesInBlock = 200;

type Message = {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly arguments?: unknown };
};

type Write = (text: string, then?: () => void) => unknown;

const floods = ['requests', 'notifications', 'comments'].includes(kind);
const tools = Array.from({ length: floods ? 1 : Number.parseInt(kind, 10) || 0 }, (_, index) => ({
  name: `tool_${index}`,
  description: `Repeats its argument, as number ${index} of several tools that differ in little else.`,
  inputSchema: {
    type: 'object',
    properties: { text: { type: 'string', description: 'What to say' }, count: { type: 'integer', minimum: 0 } },
    required: floods ? [] : ['text'],
  },
}));

function resultOf({ method, params }: Message): unknown {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'plain', version: '1' },
      };
    case 'tools/list':
      return { tools };
    default:
      return { content: [{ type: 'text', text: JSON.stringify(params?.arguments) }] };
  }
}

/** Null for a notification, and for an answer of the client to a request of the flood. */
function answerTo(message: Message): string | null {
  return message.id === undefined || message.method === undefined || kind === 'hangs'
    ? null
    : JSON.stringify({ jsonrpc: '2.0', id: message.id, result: resultOf(message) });
}

let sent = 0;

function pieceOfFlood(): string {
  sent += 1;
  const request = { id: `flood-${sent}`, method: 'elicitation/create', params: { message: 'Again?' } };
  const notice = { method: 'notifications/message', params: { level: 'info', data: 'flood' } };
  const data = JSON.stringify({ jsonrpc: '2.0', ...(kind === 'requests' ? request : notice) });
  return transport === 'stdio' ? `${data}\n` : kind === 'comments' ? ': flood\n\n' : `data: ${data}\n\n`;
}

function flood(write: Write, isOpen: () => boolean): void {
  const untilMs = performance.now() + floodMs;
  const pour = (): void => {
    if (isOpen() && performance.now() < untilMs) {
      write(Array.from({ length: messagesInBlock }, pieceOfFlood).join(''), () => setImmediate(pour));
    }
  };
  pour();
}

function floodInto(response: ServerResponse): void {
  const write: Write = (piece, then) => response.write(piece, then);
  flood(write, () => !response.destroyed);
}

function serveStdio(): void {
  const write: Write = (piece, then) => process.stdout.write(piece, then);
  const lines = createInterface({ input: process.stdin }).on('line', (line) => {
    const message: Message = JSON.parse(line);
    if (floods && message.method === 'tools/call') {
      flood(write, () => true);
      return;
    }
    const answer = answerTo(message);
    if (answer !== null) {
      write(`${answer}\n`);
    }
  });
  lines.on('close', () => process.exit());
}

/** The stream that carries the answers of an HTTP+SSE server. */
let channel: ServerResponse | undefined;

async function answerPost(message: Message, response: ServerResponse): Promise<void> {
  const answer = answerTo(message);
  const isFlood = floods && message.method === 'tools/call';
  if (kind === 'slow' && answer !== null) {
    await sleep(slowMs);
  }
  beginAnswer(response, answer, isFlood);
  if (isFlood) {
    floodInto(channel ?? response);
  } else if (answer !== null) {
    channel?.write(`data: ${answer}\n\n`);
  }
}

function beginAnswer(response: ServerResponse, answer: string | null, isFlood: boolean): void {
  if (transport === 'sse' || answer === null) {
    response.writeHead(202).end();
  } else if (isFlood) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
  } else {
    const session = floods ? {} : { 'mcp-session-id': 'plain' };
    response.writeHead(200, { 'content-type': 'application/json', ...session }).end(answer);
  }
}

function serveHttp(): void {
  const server = createServer(async (request, response) => {
    if (request.method === 'POST') {
      await answerPost(JSON.parse(await text(request)), response);
    } else if (transport === 'sse') {
      channel = response.writeHead(200, { 'content-type': 'text/event-stream' });
      channel.write('event: endpoint\ndata: /messages\n\n');
    } else {
      response.writeHead(405).end();
    }
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.stdout.write(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/mcp\n`);
  });
}

if (transport === 'stdio') {
  serveStdio();
} else {
  serveHttp();
}
