// @ts-check

/**
 * Calls `onLine` with each line of a stream that is JSON and an object; other lines are skipped, as the real CLI does.
 *
 * @type {(stream: NodeJS.ReadStream, onMessage: (message: Record<string, unknown>) => void, onEnd: () => void) => void}
 */
export function readJsonLines(stream, onMessage, onEnd) {
  /** @type {Buffer[]} */
  let pieces = [];
  stream.on('data', (/** @type {Buffer} */ chunk) => {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      pieces.push(chunk.subarray(from, end));
      const message = parseObject(Buffer.concat(pieces).toString());
      pieces = [];
      from = end + 1;
      if (message !== null) {
        onMessage(message);
      }
    }
    pieces.push(chunk.subarray(from));
  });
  stream.on('end', onEnd);
}

/** @type {(line: string) => Record<string, unknown> | null} */
export function parseObject(line) {
  try {
    const value = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** @type {(message: object) => void} */
export function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

/** @type {(sessionId: unknown, update: object) => void} */
export function sendUpdate(sessionId, update) {
  send({ method: 'session/update', params: { sessionId, update } });
}

/** @type {(sessionId: unknown, sessionUpdate: string, text: string) => void} */
export function sendText(sessionId, sessionUpdate, text) {
  sendUpdate(sessionId, { sessionUpdate, content: { type: 'text', text } });
}
