// @ts-check
import { readFileSync, statSync } from 'node:fs';

/**
 * @import { AcpProcessScript, AcpStep, FakeAcpScenario } from '../acp-scenario.ts'
 * @typedef {'start' | 'initialize' | 'inputEnd' | 'newSessions' | 'loadedSessions' | 'modelChanges' | 'prompts'} Occasion
 */

/** @type {Record<Occasion, readonly AcpStep[]>} */
const USUAL_STEPS = {
  start: [],
  initialize: [],
  inputEnd: [],
  newSessions: [],
  loadedSessions: [],
  modelChanges: [],
  prompts: [{ do: 'echo' }],
};

/** @type {(file: string) => FakeAcpScenario} */
export function readScenario(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/**
 * Returns the steps of each occasion. A replaced scenario applies from the next occasion on, and its
 * calls are counted from the beginning.
 *
 * @type {(file: string, processNumber: number) => (occasion: Occasion) => readonly AcpStep[]}
 */
export function followScenario(file, processNumber) {
  let version = '';
  /** @type {AcpProcessScript} */
  let script = {};
  /** @type {Partial<Record<Occasion, number>>} */
  let counts = {};
  return (occasion) => {
    const { ino, mtimeMs, size } = statSync(file);
    const found = `${ino} ${mtimeMs} ${size}`;
    if (found !== version) {
      version = found;
      const { processes } = readScenario(file);
      script = processes[Math.min(processNumber, processes.length - 1)] ?? {};
      counts = {};
    }
    const count = counts[occasion] ?? 0;
    counts[occasion] = count + 1;
    return pick(script[occasion], count) ?? USUAL_STEPS[occasion];
  };
}

/** @type {(steps: readonly AcpStep[] | readonly (readonly AcpStep[])[] | undefined, count: number) => readonly AcpStep[] | undefined} */
function pick(steps, count) {
  const nested = steps?.[Math.min(count, steps.length - 1)];
  return Array.isArray(nested) ? nested : /** @type {readonly AcpStep[] | undefined} */ (steps);
}
