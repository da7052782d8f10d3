// @ts-check
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @typedef {object} Run
 * @property {string | null} directory of the log and the files of the steps; null for a run outside a test
 * @property {number | null} number counts from 0; null for a version query
 * @property {string} model
 * @property {Promise<Buffer> | null} stdin
 * @property {number} characters length of the answer so far
 */

/**
 * Takes the next free run number: creating its directory succeeds only once.
 *
 * @param {string} directory
 */
export function claimRun(directory) {
  for (let number = 0; ; number += 1) {
    try {
      mkdirSync(join(directory, `run-${number}`));
      return number;
    } catch (error) {
      if (!existsSync(join(directory, `run-${number}`))) {
        throw error;
      }
    }
  }
}

/** @type {(run: Run, record: object) => void} */
export function log({ directory, number }, record) {
  if (directory !== null) {
    const line = JSON.stringify({ run: number, pid: process.pid, atMs: Date.now(), ...record });
    appendFileSync(join(directory, 'invocations.jsonl'), `${line}\n`);
  }
}

/** @param {Run} run */
export function readStdin(run) {
  run.stdin ??= collectStdin(run);
  return run.stdin;
}

/** @param {Run} run */
async function collectStdin(run) {
  const chunks = [];
  for await (const chunk of process.stdin) {
    chunks.push(chunk);
  }
  const input = Buffer.concat(chunks);
  log(run, { type: 'stdin', bytes: input.length, sha256: createHash('sha256').update(input).digest('hex') });
  if (run.number !== null) {
    writeFileSync(fileOf(run, join(`run-${run.number}`, 'stdin')), input);
  }
  return input;
}

/**
 * A file that a step names.
 *
 * @type {(run: Run, name: string) => string}
 */
export function fileOf({ directory }, name) {
  if (directory === null) {
    throw new Error(`Only a fake CLI made by createFakeGeminiCli has a directory for ${name}`);
  }
  return join(directory, name);
}

/** @type {(run: Run, name: string) => Promise<void>} */
export function whenFileExists(run, name) {
  const file = fileOf(run, name);
  return new Promise((resolve) => {
    const check = () => {
      if (existsSync(file)) {
        watcher.close();
        resolve();
      }
    };
    const watcher = watch(fileOf(run, '.'), check);
    check();
  });
}
