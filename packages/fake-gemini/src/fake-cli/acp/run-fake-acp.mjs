// @ts-check
import { readFileSync } from 'node:fs';
import { MAX_LIFETIME_MS, onEndingSignals } from '../../../bin/fake-cli/actions.mjs';
import { createAcpProcess } from './acp-process.mjs';
import { readJsonLines, send } from './json-lines.mjs';
import { METHODS, NOTIFICATIONS } from './methods.mjs';
import { playCall } from './play-call.mjs';

/** @import { AcpProcess } from './acp-process.mjs' */

/**
 * Speaks the Agent Client Protocol on stdin and stdout as `gemini --acp` 0.61.0 does, except where the scenario overrides it.
 *
 * @param {{ directory: string }} options
 */
export async function runFakeAcp({ directory }) {
  // A test that crashes must not leave a fake running for ever; one in use may run as long as it likes.
  const lifetime = setTimeout(() => process.kill(process.pid, 'SIGKILL'), MAX_LIFETIME_MS).unref();
  process.stdout.on('error', () => process.exit(1));
  process.stderr.on('error', () => process.exit(1));
  onEndingSignals(() => process.exit(0));
  const acpProcess = createAcpProcess(directory);
  acpProcess.log.recordStart({ type: 'started', ...describeProcess() });
  await playCall(acpProcess, 'start');
  const accept = (/** @type {Record<string, unknown>} */ message) => {
    lifetime.refresh();
    dispatch(acpProcess, message);
  };
  readJsonLines(process.stdin, accept, async () => {
    acpProcess.log.record({ type: 'input-ended' });
    await playCall(acpProcess, 'inputEnd');
    process.exit(0);
  });
}

/** @type {(acpProcess: AcpProcess, message: Record<string, unknown>) => void} */
function dispatch(acpProcess, message) {
  const { id, method } = message;
  const params = /** @type {Record<string, unknown>} */ (message['params'] ?? {});
  if (typeof method !== 'string') {
    acpProcess.acceptReply(message);
    return;
  }
  if (id === undefined) {
    NOTIFICATIONS[method]?.(acpProcess, params);
    return;
  }
  const request = { acpProcess, params, ...replyTo(id) };
  const serve = METHODS[method];
  if (serve === undefined) {
    acpProcess.log.record({ type: 'unknown-method', method });
    request.fail({ code: -32601, message: `"Method not found": ${method}`, data: { method } });
    return;
  }
  serve(request);
}

/** @param {unknown} id */
function replyTo(id) {
  return {
    succeed: (/** @type {object} */ result) => send({ id, result }),
    fail: (/** @type {object} */ error) => send({ id, error }),
  };
}

function describeProcess() {
  const { pid, ppid, env } = process;
  return { pid, ppid, processGroup: readProcessGroup(), argv: process.argv.slice(2), cwd: process.cwd(), env };
}

/** Reported by Linux only; field 5 of `stat`, counted after the name, which may contain blanks. @returns {number | null} */
function readProcessGroup() {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]);
  } catch {
    return null;
  }
}
