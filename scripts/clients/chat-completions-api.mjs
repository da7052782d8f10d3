// Enough of OpenAI's Chat Completions API for Copilot CLI, opencode and Qwen Code, on a loopback port: its model is a script.
import { callOnceConnected } from './call-once-connected.mjs';
import { startLoopbackApi } from './loopback-api.mjs';

/**
 * Starts the API. `nextCall` gets the texts of all tool results so far, and returns the `{ tool, args }` that the model calls next on the server
 * `gemini`, or null when done. `nameOf` makes the client's name of that tool. Resolves to the address and a function that ends it.
 */
export function startChatCompletionsApi({ nextCall, nameOf }) {
  const next = callOnceConnected(nextCall);
  let count = 0;
  return startLoopbackApi({
    path: /\/chat\/completions(\?|$)/,
    answer: async ({ messages, model, tools = [] }) => {
      count += 1;
      const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => textOf(content));
      // Requests without tools are asides, such as for a title.
      const call = tools.length === 0 ? null : await next(results);
      return eventsOf({ id: `chatcmpl-${count}`, model, call: call && { ...call, tool: nameOf(call.tool) } });
    },
  });
}

function textOf(content) {
  return typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('\n');
}

function eventsOf({ id, model, call }) {
  const answer = { role: 'assistant', content: 'Done.' };
  const chunk = { id, object: 'chat.completion.chunk', created: 0, model };
  const delta = call === null ? answer : { role: 'assistant', content: null, tool_calls: [callOf(id, call)] };
  return [
    { ...chunk, choices: [{ index: 0, delta, finish_reason: null }] },
    { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: call === null ? 'stop' : 'tool_calls' }] },
    { ...chunk, choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } },
    '[DONE]',
  ];
}

function callOf(id, { tool, args }) {
  return { index: 0, id: `call_${id}`, type: 'function', function: { name: tool, arguments: JSON.stringify(args) } };
}
