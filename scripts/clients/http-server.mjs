// The built HTTP server, on a port of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The file of the built server. */
export const httpServer = fileURLToPath(
  new URL('../../apps/mcp-http/dist/gemini-mcp-server-http.cjs', import.meta.url),
);

/** Starts the server with these flags and variables. Resolves to its origin (`http://127.0.0.1:<port>`) and an end. */
export async function startHttpServer({ flags = [], environment }) {
  const child = spawn(process.execPath, [httpServer, ...flags], {
    env: { ...environment, GEMINI_MCP_PORT: '0' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const closed = once(child, 'close');
  const origin = await new Promise((resolve, reject) => {
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (piece) => {
      said += piece;
      const [, found] = /^listening on (http:\S+)\/mcp$/m.exec(said) ?? [];
      if (found !== undefined) {
        resolve(found);
      }
    });
    child.once('close', () => reject(new Error(`The server has ended: ${said}`)));
  });
  return {
    origin,
    close: () => {
      child.kill('SIGTERM');
      return closed;
    },
  };
}
