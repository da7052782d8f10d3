// @ts-check
import { sendUpdate } from './json-lines.mjs';
import { playCall } from './play-call.mjs';
import { servePrompt } from './serve-prompt.mjs';
import { serveLoadSession, serveNewSession } from './serve-sessions.mjs';

/** @import { AcpProcess, Session } from './acp-process.mjs' */

/**
 * @typedef {object} Request
 * @property {AcpProcess} acpProcess
 * @property {Record<string, unknown>} params
 * @property {(result: object) => void} succeed
 * @property {(error: object) => void} fail
 */

const MODES = ['default', 'autoEdit', 'yolo'];

/** @type {Record<string, (request: Request) => unknown>} */
export const METHODS = {
  initialize: serveInitialize,
  authenticate: ({ succeed }) => succeed({}),
  'session/new': serveNewSession,
  'session/load': serveLoadSession,
  'session/prompt': (request) => withSession(request, servePrompt),
  'session/set_model': (request) => withSession(request, setModel),
  'session/set_mode': (request) => withSession(request, setMode),
};

/** @type {Record<string, (acpProcess: AcpProcess, params: Record<string, unknown>) => void>} */
export const NOTIFICATIONS = {
  'session/cancel': ({ log, sessions }, { sessionId }) => {
    const running = sessions.get(sessionId)?.running ?? null;
    log.record({ type: 'cancel', sessionId, wasRunning: running !== null });
    running?.abort();
  },
};

/** @param {Request} request */
async function serveInitialize({ acpProcess, params, succeed, fail }) {
  acpProcess.log.record({ type: 'initialize', params });
  const result = {
    protocolVersion: 1,
    authMethods: ['oauth-personal', 'gemini-api-key', 'vertex-ai', 'gateway'].map((id) => ({ id, name: id })),
    agentInfo: { name: 'gemini-cli', title: 'Gemini CLI', version: '0.61.0' },
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, audio: true, embeddedContext: true },
      mcpCapabilities: { http: true, sse: true },
    },
  };
  await playCall(acpProcess, 'initialize', { buildResult: () => result, succeed, fail });
}

/** @type {(request: Request, session: Session) => Promise<void>} */
async function setModel({ acpProcess, params: { modelId }, succeed, fail }, session) {
  acpProcess.log.record({ type: 'set-model', sessionId: session.id, modelId });
  const buildResult = () => {
    session.model = String(modelId);
    return {};
  };
  await playCall(acpProcess, 'modelChanges', { sessionId: session.id, buildResult, succeed, fail });
}

/** @type {(request: Request, session: Session) => void} */
function setMode({ acpProcess, params: { modeId }, succeed, fail }, session) {
  acpProcess.log.record({ type: 'set-mode', sessionId: session.id, modeId });
  if (!MODES.includes(String(modeId))) {
    fail({ code: -32603, message: 'Internal error', data: { details: `Invalid or unavailable mode: ${modeId}` } });
    return;
  }
  sendUpdate(session.id, {
    sessionUpdate: 'agent_message_chunk',
    content: { type: 'text', text: `[MODE_UPDATE] ${modeId}` },
  });
  succeed({});
}

/** @type {(request: Request, serve: (request: Request, session: Session) => unknown) => unknown} */
function withSession(request, serve) {
  const { acpProcess, params, fail } = request;
  const session = acpProcess.sessions.get(params['sessionId']);
  return session === undefined
    ? fail({ code: -32602, message: `Session not found: ${params['sessionId']}` })
    : serve(request, session);
}
