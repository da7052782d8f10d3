// The script of a client's model that makes one call and reads the answer to its end, as the results explain.

/**
 * Makes the script: `nextCall` for the model's API, `results` (the texts of all results, as the client gave them to its model) and `offsets` (where
 * in the answer each result begins, as the one before it said). Clients may take old results out of a long conversation; the script remembers them.
 */
export function readWhole(firstCall = { tool: 'gemini_query', args: { prompt: 'Hello' } }) {
  const results = [];
  return {
    results,
    get offsets() {
      return [0, ...results.flatMap((result) => nextOffset(result) ?? [])];
    },
    nextCall: (received) => {
      const newest = received.at(-1);
      if (newest !== undefined && !results.includes(newest)) {
        results.push(newest);
      }
      return results.length === 0 ? firstCall : nextPart(results);
    },
  };
}

/** Whether the model has seen every character of an answer, each part in the result that was to have it. */
export function sawWhole(answer, { results, offsets }) {
  return (
    results.length === offsets.length &&
    results.every((result, index) => result.includes(answer.slice(offsets[index], offsets[index + 1])))
  );
}

function nextPart(results) {
  const [, handle] = /gemini_read: handle "([^"]+)"/.exec(results[0]) ?? [];
  const offset = nextOffset(results.at(-1));
  return handle === undefined || offset === null ? null : { tool: 'gemini_read', args: { handle, offset } };
}

/** Where the rest begins, as a result says it; null at the end. */
function nextOffset(result) {
  const [, ofFirst, ofPart] =
    /gemini_read: handle "[^"]+", offset (\d+)|Read on with offset (\d+)\./.exec(result) ?? [];
  return ofFirst === undefined && ofPart === undefined ? null : Number(ofFirst ?? ofPart);
}
