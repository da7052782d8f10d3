// @ts-check
import { join } from 'node:path';
import { send } from './json-lines.mjs';
import { openProcessLog } from './process-log.mjs';
import { followScenario, readScenario } from './scenario-file.mjs';

/**
 * @import { AcpStep } from '../acp-scenario.ts'
 * @import { ProcessLog } from './process-log.mjs'
 * @import { Occasion } from './scenario-file.mjs'
 */

/**
 * @typedef {object} Session
 * @property {string} id
 * @property {string} model
 * @property {number} turns the number of its prompts
 * @property {AbortController | null} running cancels its prompt
 */

/**
 * @typedef {object} AcpProcess
 * @property {string} directory of the fake CLI
 * @property {ProcessLog} log
 * @property {Map<unknown, Session>} sessions
 * @property {number} promptCount
 * @property {Buffer[]} ballast memory that it holds without need
 * @property {(method: string, params: object) => Promise<void>} ask asks the client, and records the reply
 * @property {(message: Record<string, unknown>) => void} acceptReply
 * @property {(occasion: Occasion) => readonly AcpStep[]} stepsOf
 * @property {() => string} nextCallName equal in a process of the same number with the same requests
 */

/** @type {(directory: string) => AcpProcess} */
export function createAcpProcess(directory) {
  const file = join(directory, 'acp', 'scenario.json');
  const log = openProcessLog(join(directory, 'acp'), readScenario(file));
  /** @type {Map<unknown, (reply: object) => void>} */
  const questions = new Map();
  let asked = 0;
  let calls = 0;
  return {
    directory,
    log,
    sessions: new Map(),
    promptCount: 0,
    ballast: [],
    ask: async (method, params) => {
      const id = asked;
      asked += 1;
      const reply = await new Promise((resolve) => {
        questions.set(id, resolve);
        send({ id, method, params });
      });
      log.record({ type: 'asked', method, params, reply });
    },
    acceptReply: ({ id, result, error }) => {
      questions.get(id)?.(error === undefined ? { result } : { error });
      questions.delete(id);
    },
    stepsOf: followScenario(file, log.number),
    nextCallName: () => {
      calls += 1;
      return `${log.number} ${calls}`;
    },
  };
}
