// Enough of OpenAI's Responses API for Codex, on a loopback port: its model is a script.
import { callOnceConnected } from './call-once-connected.mjs';
import { startLoopbackApi } from './loopback-api.mjs';

/**
 * Starts the API. `nextCall` gets the texts of all tool results so far, and returns the `{ tool, args }` that the model calls next on the server
 * `gemini`, or null when done. Resolves to the address and a function that ends it.
 */
export function startResponsesApi({ nextCall }) {
  const next = callOnceConnected(nextCall);
  let count = 0;
  return startLoopbackApi({
    path: /\/responses(\?|$)/,
    answer: async ({ input = [] }) => {
      count += 1;
      return eventsOf(`${count}`, await next(resultsIn(input)));
    },
  });
}

/** Codex adds a line with the duration of a call before the content of a result. */
function resultsIn(input) {
  return input
    .filter(({ type }) => type === 'function_call_output')
    .map(({ output }) => (typeof output === 'string' ? output : output.map(({ text = '' }) => text)))
    .map((output) =>
      typeof output === 'string' ? output : output.filter((text) => !text.startsWith('Wall time: ')).join('\n'),
    );
}

function eventsOf(id, call) {
  const usage = {
    input_tokens: 10,
    input_tokens_details: null,
    output_tokens: 5,
    output_tokens_details: null,
    total_tokens: 15,
  };
  const item =
    call === null
      ? { type: 'message', role: 'assistant', id: `msg_${id}`, content: [{ type: 'output_text', text: 'Done.' }] }
      : {
          type: 'function_call',
          namespace: 'mcp__gemini',
          name: call.tool,
          arguments: JSON.stringify(call.args),
          call_id: `call_${id}`,
        };
  return [
    { type: 'response.created', response: { id: `resp_${id}` } },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { id: `resp_${id}`, usage } },
  ];
}
