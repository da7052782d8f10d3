// @ts-check
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { sendText, sendUpdate } from './json-lines.mjs';
import { listTools } from './list-tools.mjs';
import { playCall } from './play-call.mjs';
import { chatsDirectory, readSessionFile } from './session-file.mjs';

/**
 * @import { Request } from './methods.mjs'
 * @import { Turn } from './session-file.mjs'
 */

const COMMANDS = ['memory', 'extensions', 'init', 'restore', 'about', 'help'];

/** @param {Request} request */
export async function serveNewSession(request) {
  const cwd = readDirectory(request);
  if (cwd !== null) {
    await open(request, { id: randomUUID(), cwd, history: null });
  }
}

/** @param {Request} request */
export async function serveLoadSession(request) {
  const cwd = readDirectory(request);
  if (cwd === null) {
    return;
  }
  const id = String(request.params['sessionId']);
  const chats = chatsDirectory(cwd);
  const history = readSessionFile(chats, id);
  if (history === null) {
    const details = `Invalid session identifier "${id}".\n  Searched for sessions in ${chats}.\n  Use --list-sessions to see available sessions, then use --resume {number}, --resume {uuid}, or --resume latest.`;
    refuse(request, { details });
    return;
  }
  await open(request, { id, cwd, history });
}

/** @type {(request: Request, session: { id: string, cwd: string, history: readonly Turn[] | null }) => Promise<void>} */
async function open({ acpProcess, params, succeed, fail }, { id, cwd, history }) {
  const { log, sessions } = acpProcess;
  const model = readModel(process.argv);
  const turns = history?.map(({ role, text }) => ({ role, ...log.describeText(text) })) ?? null;
  log.record({ type: 'session', sessionId: id, cwd, history: turns });
  await listTools(readServers(params['mcpServers']));
  sessions.set(id, { id, model, turns: 0, running: null });
  await playCall(acpProcess, history === null ? 'newSessions' : 'loadedSessions', {
    sessionId: id,
    buildResult: () => describeSession(history === null ? { sessionId: id } : {}, model),
    succeed,
    fail,
  });
  for (const { role, text } of history ?? []) {
    sendText(id, role === 'user' ? 'user_message_chunk' : 'agent_message_chunk', text);
  }
  const availableCommands = COMMANDS.map((name) => ({ name, description: name }));
  sendUpdate(id, { sessionUpdate: 'available_commands_update', availableCommands });
}

/** @type {(opening: object, model: string) => object} */
function describeSession(opening, model) {
  const availableModes = ['default', 'autoEdit', 'yolo'].map((id) => ({ id, name: id }));
  const availableModels = ['auto', 'gemini-2.5-pro', 'gemini-2.5-flash'].map((modelId) => ({ modelId, name: modelId }));
  return {
    ...opening,
    modes: { availableModes, currentModeId: 'default' },
    models: { availableModels, currentModelId: model },
  };
}

/** @type {(servers: unknown) => readonly { url: string, headers: Record<string, string> }[]} */
function readServers(servers) {
  return Array.isArray(servers)
    ? servers.map(({ url, headers }) => ({
        url,
        headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])),
      }))
    : [];
}

/** The directory of a valid request; rejects an invalid one. @type {(request: Request) => string | null} */
function readDirectory(request) {
  const { cwd, mcpServers } = request.params;
  if (typeof cwd !== 'string' || !Array.isArray(mcpServers)) {
    const path = typeof cwd === 'string' ? ['mcpServers'] : ['cwd'];
    refuse(request, [{ code: 'invalid_type', path, message: 'Invalid input' }]);
    return null;
  }
  if (!existsSync(cwd)) {
    refuse(request, { details: `Directory does not exist: ${cwd}` });
    return null;
  }
  return cwd;
}

/** @type {(request: Request, data: unknown) => void} */
function refuse({ fail }, data) {
  fail({ code: -32603, message: 'Internal error', data });
}

/** @param {readonly string[]} argv */
function readModel(argv) {
  const joined = argv.find((word) => word.startsWith('--model='));
  const flag = argv.findIndex((word) => word === '--model' || word === '-m');
  return joined?.slice('--model='.length) ?? (flag >= 0 ? argv[flag + 1] : undefined) ?? 'auto';
}
