// @ts-check
import { createHash } from 'node:crypto';
import { openSync, readdirSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** @import { FakeAcpScenario } from '../acp-scenario.ts' */

/**
 * @typedef {object} ProcessLog
 * @property {number} number of the process, counted from 0
 * @property {(record: object) => void} record
 * @property {(record: object) => void} recordStart
 * @property {(text: string) => object} describeText
 */

/**
 * Takes the next free process number, and opens the log of that name.
 *
 * @type {(directory: string, scenario: FakeAcpScenario) => ProcessLog}
 */
export function openProcessLog(directory, { keptTextMaxBytes = 16_384, records = 'all' }) {
  const { number, file } = claim(directory);
  /** @type {(record: object) => void} */
  const recordStart = (record) => {
    writeSync(file, `${JSON.stringify({ atMs: Date.now(), ...record })}\n`);
  };
  return {
    number,
    recordStart,
    record: records === 'all' ? recordStart : () => {},
    describeText: (text) => (records === 'all' ? digestText(text, keptTextMaxBytes) : {}),
  };
}

/** @type {(directory: string) => { number: number, file: number }} */
function claim(directory) {
  // Numbers have no gaps: with this many logs, the next number is at least that.
  const logs = readdirSync(directory).filter((name) => name.startsWith('process-'));
  for (let number = logs.length; ; number += 1) {
    try {
      return { number, file: openSync(join(directory, `process-${number}.jsonl`), 'ax') };
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') {
        throw error;
      }
    }
  }
}

/** @type {(text: string, keptTextMaxBytes: number) => object} */
function digestText(text, keptTextMaxBytes) {
  const bytes = Buffer.from(text);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { characters: text.length, sha256, text: bytes.length <= keptTextMaxBytes ? text : null };
}
