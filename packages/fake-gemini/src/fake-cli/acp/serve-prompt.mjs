// @ts-check
import { isCancelled } from './perform-steps.mjs';
import { playCall } from './play-call.mjs';

/**
 * @import { Session } from './acp-process.mjs'
 * @import { Request } from './methods.mjs'
 * @import { Call } from './perform-steps.mjs'
 */

const CHARACTERS_PER_TOKEN = 4;

/** @type {(request: Request, session: Session) => Promise<void>} */
export async function servePrompt({ acpProcess, params, succeed, fail }, session) {
  const parts = /** @type {readonly Record<string, unknown>[]} */ (params['prompt'] ?? []);
  const texts = parts.filter(({ type }) => type === 'text').map(({ text }) => String(text));
  const number = acpProcess.promptCount;
  acpProcess.promptCount += 1;
  record(acpProcess, session, { number, parts });
  if (parts.length === 0) {
    fail({ code: 500, message: 'partOrString cannot be an empty array' });
    return;
  }
  // A second prompt on a busy session cancels the first.
  session.running?.abort();
  const running = new AbortController();
  session.running = running;
  session.turns += 1;
  const settle = (/** @type {(outcome: object) => void} */ reply) => (/** @type {object} */ outcome) => {
    session.running = session.running === running ? null : session.running;
    reply(outcome);
  };
  await playCall(acpProcess, 'prompts', {
    sessionId: session.id,
    promptNumber: number,
    lastText: texts.at(-1) ?? '',
    signal: running.signal,
    buildResult: (call) => describeEnd(call, session.model, texts.join('').length),
    succeed: settle(succeed),
    fail: settle(fail),
  });
}

/** @type {(acpProcess: Request['acpProcess'], session: Session, prompt: { number: number, parts: readonly Record<string, unknown>[] }) => void} */
function record({ log }, { id, model, turns }, { number, parts }) {
  const described = parts.map(({ type, text, data, mimeType }) => ({
    type,
    ...(mimeType === undefined ? {} : { mimeType }),
    ...log.describeText(String(text ?? data ?? '')),
  }));
  log.record({ type: 'prompt', number, sessionId: id, model, turn: turns, parts: described });
}

/** @type {(call: Call, model: string, inputCharacters: number) => object} */
function describeEnd(call, model, inputCharacters) {
  if (isCancelled(call)) {
    return { stopReason: 'cancelled' };
  }
  const token_count = {
    input_tokens: Math.ceil(inputCharacters / CHARACTERS_PER_TOKEN),
    output_tokens: Math.ceil(call.characters / CHARACTERS_PER_TOKEN),
  };
  return { stopReason: 'end_turn', _meta: { quota: { token_count, model_usage: [{ model, token_count }] } } };
}
