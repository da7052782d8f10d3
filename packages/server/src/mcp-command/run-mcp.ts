import { addServer } from './add-server.ts';
import { approveProject } from './approve-project.ts';
import { approveTools } from './approve-tools.ts';
import { changeServer } from './change-server.ts';
import { importServers } from './import-servers.ts';
import { listServers } from './list-servers.ts';
import { logIn } from './log-in.ts';
import { mcpHelp } from './mcp-help.ts';
import type { McpPlace, McpResult } from './mcp-place.ts';
import type { McpAction } from './read-mcp-words.ts';

/** Does what a user at a terminal wants of other MCP servers. */
export async function runMcp(action: McpAction, place: McpPlace, signal: AbortSignal): Promise<McpResult> {
  switch (action.action) {
    case 'help':
      return { output: mcpHelp, note: '', exitCode: 0 };
    case 'list':
      return await listServers(action, place, signal);
    case 'add':
      return await addServer(action, place);
    case 'remove':
    case 'enable':
    case 'disable':
      return await changeServer(action, place);
    case 'approve': {
      const { what, confirmed } = action;
      return what.type === 'project'
        ? await approveProject({ confirmed }, place)
        : await approveTools({ ...what, confirmed }, place, signal);
    }
    case 'import':
      return await importServers(action, place);
    case 'login':
    case 'logout':
      return await logIn(action, place, signal);
  }
}
