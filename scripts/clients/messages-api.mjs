// Enough of Anthropic's Messages API for Claude Code, on a loopback port: its model is a script.
import { callOnceConnected } from './call-once-connected.mjs';
import { startLoopbackApi } from './loopback-api.mjs';

/**
 * Starts the API. `nextCall` gets the texts of all tool results so far, and returns the `{ tool, args }` that the model calls next on the server
 * `gemini`, or null when done. `onAsked` gets the texts of the user's messages in each request. Resolves to the address and a function that ends it.
 */
export function startMessagesApi({ nextCall, onAsked = () => undefined }) {
  const next = callOnceConnected(nextCall);
  let count = 0;
  return startLoopbackApi({
    path: /^\/v1\/messages(\?|$)/,
    answer: async ({ tools = [], messages = [], model }) => {
      onAsked(textsOfUser(messages));
      count += 1;
      // Requests with few tools are asides, such as for a title.
      const call = tools.length > 3 ? await next(resultsIn(messages)) : null;
      return eventsOf({ id: `${count}`, model, call });
    },
  });
}

function textsOfUser(messages) {
  return messages
    .filter(({ role }) => role === 'user')
    .flatMap(({ content }) => (typeof content === 'string' ? [content] : content.map(({ text = '' }) => text)));
}

function resultsIn(messages) {
  return messages
    .flatMap(({ content }) => (Array.isArray(content) ? content : []))
    .filter(({ type }) => type === 'tool_result')
    .map(({ content }) => (typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('\n')));
}

function eventsOf({ id, model, call }) {
  const usage = { input_tokens: 10, output_tokens: 1 };
  const message = {
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
  };
  const [block, delta, reason] =
    call === null
      ? [{ type: 'text', text: '' }, { type: 'text_delta', text: 'Done.' }, 'end_turn']
      : [
          { type: 'tool_use', id: `toolu_${id}`, name: `mcp__gemini__${call.tool}`, input: {} },
          { type: 'input_json_delta', partial_json: JSON.stringify(call.args) },
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
