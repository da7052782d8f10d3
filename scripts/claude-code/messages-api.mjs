// A loopback server that speaks enough of Anthropic's Messages API for Claude Code: its model calls one tool, then says a word.
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

/** Claude Code may ask its model before it has connected to its MCP servers: the call is then repeated. */
const maxCalls = 40;
const pauseMs = 250;

/**
 * Starts the API. Its model calls `tool` with `input`, again where the call was refused at once. Resolves to its address and an
 * end.
 */
export async function startMessagesApi({ tool, input }) {
  let calls = 0;
  const callsTool = ({ tools = [], messages = [] }) => {
    const last = JSON.stringify(messages.slice(-2));
    const wasRefused = last.includes('"is_error":true') && last.includes('No such tool');
    // Requests with few tools are asides, such as for a title.
    return tools.length > 3 && calls < maxCalls && (calls === 0 || wasRefused);
  };
  const server = createServer(async (request, response) => {
    const body = await text(request);
    if (request.method !== 'POST' || !/^\/v1\/messages(\?|$)/.test(request.url ?? '')) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
      return;
    }
    const asked = JSON.parse(body);
    const isCall = callsTool(asked);
    await delay(isCall && calls > 0 ? pauseMs : 0);
    calls += isCall ? 1 : 0;
    const id = `msg_${calls}_${asked.messages?.length}`;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(
      eventsOf({ id, model: asked.model, ...(isCall && { tool, input }) })
        .map(toEvent)
        .join(''),
    );
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

function eventsOf({ id, model, tool, input }) {
  const usage = { input_tokens: 10, output_tokens: 1 };
  const message = {
    id,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
  };
  const [block, delta, reason] =
    tool === undefined
      ? [{ type: 'text', text: '' }, { type: 'text_delta', text: 'Done.' }, 'end_turn']
      : [
          { type: 'tool_use', id: `toolu_${id}`, name: tool, input: {} },
          { type: 'input_json_delta', partial_json: JSON.stringify(input) },
          'tool_use',
        ];
  return [
    { type: 'message_start', message: { ...message, usage } },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 5 } },
    { type: 'message_stop' },
  ];
}

function toEvent(data) {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}
