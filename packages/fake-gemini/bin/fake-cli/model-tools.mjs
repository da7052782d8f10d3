// @ts-check
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listTools } from '../../src/fake-cli/acp/list-tools.mjs';

/** @import { LentServer } from '../../src/fake-cli/acp/list-tools.mjs' */

/** As the CLI does before it asks the model: lists the tools of the MCP servers in its settings. */
export async function listToolsOfSettings() {
  await listTools(Object.values(readSettings().mcpServers ?? {}));
}

/** @returns {{ mcpServers?: Record<string, LentServer> }} */
function readSettings() {
  try {
    return JSON.parse(
      readFileSync(
        join(process.env['GEMINI_CLI_HOME'] ?? process.env['HOME'] ?? '', '.gemini', 'settings.json'),
        'utf8',
      ),
    );
  } catch {
    return {};
  }
}
