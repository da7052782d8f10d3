// @ts-check

/**
 * @typedef {object} LentServer
 * @property {string} url
 * @property {Record<string, string>} headers
 */

/**
 * The CLI ignores an unreachable server.
 *
 * @param {readonly LentServer[]} servers
 */
export async function listTools(servers) {
  for (const { url, headers } of servers) {
    const clientInfo = { name: 'gemini-cli', version: '0.61.0' };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    await post(url, headers, { jsonrpc: '2.0', id: 0, method: 'initialize', params }).catch(() => {});
    await post(url, headers, { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }).catch(() => {});
  }
}

/** @type {(url: string, headers: Record<string, string>, message: object) => Promise<void>} */
async function post(url, headers, message) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify(message),
  });
  await response.text();
}
