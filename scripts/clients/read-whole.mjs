// The script of a client's model that asks Gemini one question and reads the answer to its end, as the results explain.

/**
 * Makes the script: `nextCall` for the model's API, `results` (the texts of all results, as the client gave them to its model) and `whole` (the
 * answer, joined from its parts).
 */
export function readWhole() {
  let results = [];
  return {
    get results() {
      return results;
    },
    get whole() {
      return results.slice(1).map(bodyOf).join('');
    },
    nextCall: (received) => {
      results = received;
      return received.length === 0 ? { tool: 'gemini_query', args: { prompt: 'Hello' } } : nextPart(received);
    },
  };
}

function nextPart([first, ...parts]) {
  const [, handle] = /handle "([^"]+)"/.exec(first) ?? [];
  const last = parts.at(-1);
  const offset = last === undefined ? '0' : /Read on with offset (\d+)\./.exec(placeOf(last))?.[1];
  return handle === undefined || offset === undefined
    ? null
    : { tool: 'gemini_read', args: { handle, offset: Number(offset) } };
}

/** The block after the part, which states the part's position. */
function placeOf(part) {
  return part.slice(part.lastIndexOf('\n[Characters '));
}

function bodyOf(part) {
  return part.slice(0, part.lastIndexOf('\n[Characters '));
}
