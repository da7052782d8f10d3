import { join } from 'node:path';

/**
 * What a server is started with: what MCP clients pass on, with a home of our own. The rest of this shell's environment
 * stays out, so that the figures do not depend on it.
 */
export function serverEnvironment(home: string): Readonly<Record<string, string>> {
  return { PATH: process.env['PATH'] ?? '', HOME: home, GEMINI_MCP_STATE_DIR: join(home, 'state') };
}
