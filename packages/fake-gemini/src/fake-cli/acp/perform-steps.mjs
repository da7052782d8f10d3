// @ts-check
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { MAX_LIFETIME_MS, perform } from '../../../bin/fake-cli/actions.mjs';
import { fileOf, whenFileExists } from '../../../bin/fake-cli/run-log.mjs';
import { send, sendText, sendUpdate } from './json-lines.mjs';

/**
 * @import { AcpStep } from '../acp-scenario.ts'
 * @import { AcpProcess } from './acp-process.mjs'
 */

/**
 * The occasion of steps: a request of the client, or the start or the end of the process.
 *
 * @typedef {object} Call
 * @property {AcpProcess} process
 * @property {string} name the same for the same call of the same process
 * @property {unknown} sessionId
 * @property {number | null} promptNumber counts from 0 in its process; null outside of prompts
 * @property {string} lastText
 * @property {AbortSignal} signal cancels the call
 * @property {boolean} ignoresCancel
 * @property {boolean} isAnswered
 * @property {number} length of the answer so far
 * @property {(result?: object) => void} answer
 * @property {(error: object) => void} fail
 */

/**
 * @template {AcpStep['do']} Name
 * @typedef {Extract<AcpStep, { do: Name }>} StepOf
 */

/** @type {{ [Name in AcpStep['do']]?: (step: StepOf<Name>, call: Call) => unknown }} */
const ACTIONS = {
  echo: (_, call) => say(call, echo(call.lastText)),
  say: async ({ chunks, intervalMs }, call) => {
    for (const [index, chunk] of chunks.entries()) {
      if (index > 0 && intervalMs !== undefined) {
        await pause(intervalMs, call);
      }
      say(call, chunk);
    }
  },
  update: ({ update, times = 1, sessionId }, call) => {
    for (let count = 0; count < times; count += 1) {
      sendUpdate(sessionId ?? call.sessionId, update);
    }
  },
  answer: ({ result }, call) => call.answer(result),
  error: ({ code, message, data }, call) => call.fail({ code, message, ...(data === undefined ? {} : { data }) }),
  send: ({ message }) => send(message),
  ask: ({ method, params }, call) => call.process.ask(method, { sessionId: call.sessionId, ...params }),
  wait: ({ durationMs }, call) => pause(durationMs, call),
  hang: (_, call) => pause(MAX_LIFETIME_MS * 2, call),
  'ignore-cancel': (_, call) => {
    call.ignoresCancel = true;
  },
  'stop-reading': () => process.stdin.pause(),
  block: ({ durationMs = MAX_LIFETIME_MS }) => block(durationMs),
  grow: ({ bytes }, call) => call.process.ballast.push(Buffer.alloc(bytes, 1)),
  'given-steps': async (_, call) => {
    const run = describeRun(call);
    const name = `acp-steps-${call.process.log.number}-${call.promptNumber}.json`;
    await whenFileExists(run, name);
    await performSteps(JSON.parse(readFileSync(fileOf(run, name), 'utf8')), call);
  },
  'by-text': ({ cases, otherwise }, call) => {
    const fitting = cases.find(({ contains }) => call.lastText.includes(contains));
    return performSteps(fitting?.steps ?? otherwise, call);
  },
  'by-chance': ({ seed, chanceOfEach, among, otherwise }, call) => {
    const index = Math.floor(draw(`${seed} ${call.name}`) / chanceOfEach);
    call.process.log.record({ type: 'drawn', call: call.name, index: index < among.length ? index : null });
    return performSteps(among[index] ?? otherwise, call);
  },
};

/**
 * Plays steps one after another; stops if the call is cancelled.
 *
 * @type {(steps: readonly AcpStep[], call: Call) => Promise<void>}
 */
export async function performSteps(steps, call) {
  for (const step of steps) {
    if (isCancelled(call)) {
      return;
    }
    const action = /** @type {((step: AcpStep, call: Call) => unknown) | undefined} */ (ACTIONS[step.do]);
    const done = action === undefined ? performShared(step, call) : action(step, call);
    await untilCancelled(done, call);
  }
}

/** @param {Call} call */
export function isCancelled(call) {
  return call.signal.aborted && !call.ignoresCancel;
}

/** @type {(step: AcpStep, call: Call) => Promise<void>} */
function performShared(step, call) {
  return perform([/** @type {import('../scenario.ts').CliStep} */ (step)], describeRun(call));
}

/** The values that the steps of the headless fake need. @param {Call} call */
function describeRun({ process: { directory } }) {
  return { directory, number: null, model: '', stdin: null, characters: 0 };
}

/** @type {(done: unknown, call: Call) => Promise<unknown>} */
function untilCancelled(done, { signal, ignoresCancel }) {
  if (ignoresCancel || !(done instanceof Promise)) {
    return Promise.resolve(done);
  }
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', resolve, { once: true });
    done.then(resolve, reject).finally(() => signal.removeEventListener('abort', resolve));
  });
}

/** @type {(durationMs: number, call: Call) => Promise<unknown>} */
function pause(durationMs, { signal, ignoresCancel }) {
  return delay(durationMs, undefined, ignoresCancel ? {} : { signal }).catch(() => {});
}

/** @type {(call: Call, text: string) => void} */
function say(call, text) {
  if (!isCancelled(call)) {
    call.characters += text.length;
    sendText(call.sessionId, 'agent_message_chunk', text);
  }
}

/** Writes the same as `acpEcho`. @param {string} text */
function echo(text) {
  return `sha256 ${createHash('sha256').update(text).digest('hex')} of ${text.length} characters`;
}

/** A number from 0 up to, but not including, 1. @param {string} seed */
function draw(seed) {
  return createHash('sha256').update(seed).digest().readUInt32BE() / 2 ** 32;
}

/** @param {number} durationMs */
function block(durationMs) {
  const end = Date.now() + durationMs;
  while (Date.now() < end) {
    // Busy on purpose.
  }
}
