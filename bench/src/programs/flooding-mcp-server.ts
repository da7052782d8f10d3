import { createServer, type ServerResponse } from 'node:http';
import { createInterface } from 'node:readline';

/** An MCP server that answers a call with a flood, for some seconds: `stdio`, `http` or `sse`, and of what. It prints its address first. */
const [transport = 'stdio', what = 'requests'] = process.argv.slice(2);

/** It stops by itself, whatever becomes of its client. */
const floodMs = 20_000;
const blockMessages = 200;

type Message = { readonly id?: number | string; readonly method?: string };
type Write = (text: string, then?: () => void) => unknown;

let count = 0;

function unasked(): string {
  count += 1;
  const request = { jsonrpc: '2.0', id: `flood-${count}`, method: 'elicitation/create', params: { message: 'Again?' } };
  const notice = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'flood' } };
  return JSON.stringify(what === 'requests' ? request : notice);
}

function frame(text: string): string {
  return transport === 'stdio' ? `${text}\n` : `data: ${text}\n\n`;
}

function flood(write: Write, isOpen: () => boolean): void {
  const untilMs = performance.now() + floodMs;
  const pour = (): void => {
    if (isOpen() && performance.now() < untilMs) {
      const block = Array.from({ length: blockMessages }, () =>
        what === 'comments' ? ': flood\n\n' : frame(unasked()),
      );
      write(block.join(''), () => setImmediate(pour));
    }
  };
  pour();
}

function answerTo({ id, method }: Message): string | null {
  const capabilities = { tools: {} };
  const serverInfo = { name: 'flood', version: '1' };
  const tools = [{ name: 'tool_0', inputSchema: { type: 'object' } }];
  const result =
    method === 'initialize'
      ? { protocolVersion: '2025-06-18', capabilities, serverInfo }
      : method === 'tools/list'
        ? { tools }
        : null;
  return id === undefined || result === null ? null : JSON.stringify({ jsonrpc: '2.0', id, result });
}

function serveStdio(): void {
  const write: Write = (text, then) => process.stdout.write(text, then);
  createInterface({ input: process.stdin })
    .on('line', (line) => {
      const message: Message = JSON.parse(line);
      const answer = answerTo(message);
      if (answer !== null) {
        write(frame(answer));
      } else if (message.method === 'tools/call') {
        flood(write, () => true);
      }
    })
    .on('close', () => process.exit());
}

function floodInto(response: ServerResponse): void {
  flood(
    (text, then) => response.write(text, then),
    () => !response.destroyed,
  );
}

let channel: ServerResponse | undefined;

function openChannel(response: ServerResponse): void {
  if (transport !== 'sse') {
    response.writeHead(405).end();
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write('event: endpoint\ndata: /messages\n\n');
  channel = response;
}

function answerOnChannel(message: Message, response: ServerResponse): void {
  response.writeHead(202).end();
  const answer = answerTo(message);
  if (message.method === 'tools/call' && channel !== undefined) {
    floodInto(channel);
  } else if (answer !== null) {
    channel?.write(frame(answer));
  }
}

function answerDirectly(message: Message, response: ServerResponse): void {
  const answer = answerTo(message);
  if (message.method === 'tools/call') {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    floodInto(response);
  } else {
    response.writeHead(answer === null ? 202 : 200, { 'content-type': 'application/json' }).end(answer ?? undefined);
  }
}

function serveHttp(): void {
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') {
      openChannel(response);
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) {
      chunks.push(chunk);
    }
    const message: Message = JSON.parse(Buffer.concat(chunks).toString());
    (transport === 'sse' ? answerOnChannel : answerDirectly)(message, response);
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.stdout.write(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/mcp\n`);
  });
}

if (transport === 'stdio') {
  serveStdio();
} else {
  serveHttp();
}
