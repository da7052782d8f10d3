import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The bundle that users start. */
export const serverPath: string = join(root, 'apps', 'mcp-stdio', 'dist', 'gemini-mcp-server.cjs');

/** The same that speaks HTTP. */
export const httpServerPath: string = join(root, 'apps', 'mcp-http', 'dist', 'gemini-mcp-server-http.cjs');

/** The program of the Gemini CLI that this repository pins. */
export const geminiPath: string = join(root, 'node_modules', '@google', 'gemini-cli', 'bundle', 'gemini.js');
