// @ts-check
import { performSteps } from './perform-steps.mjs';

/**
 * @import { AcpProcess } from './acp-process.mjs'
 * @import { Call } from './perform-steps.mjs'
 * @import { Occasion } from './scenario-file.mjs'
 */

/**
 * @typedef {object} CallOptions
 * @property {unknown} [sessionId]
 * @property {number | null} [promptNumber]
 * @property {string} [lastText]
 * @property {AbortSignal} [signal]
 * @property {(call: Call) => object} buildResult the default answer
 * @property {(result: object) => void} succeed
 * @property {(error: object) => void} fail
 */

/** @type {CallOptions} */
const UNANSWERED = { buildResult: () => ({}), succeed: () => {}, fail: () => {} };

/**
 * Plays the steps of an occasion, and answers after them unless a step has answered.
 *
 * @type {(acpProcess: AcpProcess, occasion: Occasion, options?: CallOptions) => Promise<void>}
 */
export async function playCall(acpProcess, occasion, options = UNANSWERED) {
  const { sessionId = null, promptNumber = null, lastText = '', signal = new AbortController().signal } = options;
  /** @type {Call} */
  const call = {
    process: acpProcess,
    name: acpProcess.nextCallName(),
    sessionId,
    promptNumber,
    lastText,
    signal,
    ignoresCancel: false,
    isAnswered: false,
    characters: 0,
    answer: (result) => {
      call.isAnswered = true;
      options.succeed({ ...options.buildResult(call), ...result });
    },
    fail: (error) => {
      call.isAnswered = true;
      options.fail(error);
    },
  };
  await performSteps(acpProcess.stepsOf(occasion), call);
  if (!call.isAnswered) {
    call.answer();
  }
}
