// @ts-check
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { listToolsOfSettings } from './model-tools.mjs';
import { emit, flood, scrambledBytes, secretForms, write } from './output.mjs';
import { fileOf, log, readStdin, whenFileExists } from './run-log.mjs';

/**
 * @import { CliStep, ResultUsage } from '../../src/fake-cli/scenario.ts'
 * @import { Run } from './run-log.mjs'
 */

/**
 * @template {CliStep['do']} Name
 * @typedef {Extract<CliStep, { do: Name }>} StepOf
 */

// A test that crashes must not leave a fake running for ever.
export const MAX_LIFETIME_MS = 300_000;
const SPLIT_PAUSE_MS = 50;

/** @type {{ [Name in CliStep['do']]: (step: StepOf<Name>, run: Run) => unknown }} */
const ACTIONS = {
  'read-stdin': (_, run) => readStdin(run),
  'close-stdin': (_, run) => {
    run.stdin = Promise.resolve(Buffer.alloc(0));
    closeSync(0);
  },
  init: async (_, run) => {
    await listToolsOfSettings();
    await emit({ type: 'init', session_id: randomUUID(), model: run.model });
  },
  'user-echo': async (_, run) => emit({ type: 'message', role: 'user', content: `${await readStdin(run)}` }),
  text: async ({ chunks, intervalMs }, run) => {
    for (const content of chunks) {
      run.characters += content.length;
      await emit({ type: 'message', role: 'assistant', content, delta: true });
      await delay(intervalMs ?? 0);
    }
  },
  event: ({ event }) => emit(event),
  result: async ({ status, error, usage }, run) =>
    emit({ type: 'result', status, ...(error ? { error } : {}), stats: await buildStats(run, usage) }),
  write: ({ to, text }) => write(to, text),
  'write-bytes': ({ to, base64 }) => write(to, Buffer.from(base64, 'base64')),
  random: ({ to, bytes, seed }) => write(to, scrambledBytes(bytes, seed ?? '')),
  flood,
  drip: async ({ to, text, intervalMs, isEndless }) => {
    do {
      for (const byte of Buffer.from(text)) {
        await write(to, Buffer.of(byte));
        await delay(intervalMs);
      }
    } while (isEndless);
  },
  leak,
  'ignore-signals': () => onEndingSignals(() => {}),
  spawn: spawnSleeper,
  touch: ({ file }, run) => writeFileSync(fileOf(run, file), ''),
  'await-file': ({ file }, run) => whenFileExists(run, file),
  wait: ({ durationMs }) => delay(durationMs),
  hang: () => delay(MAX_LIFETIME_MS * 2),
  exit: ({ code }) => process.exit(code),
  // A fatal signal may be handled asynchronously: do nothing else until it strikes.
  'kill-self': ({ signal }) => {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
    return delay(MAX_LIFETIME_MS * 2);
  },
  'by-model': ({ models, otherwise }, run) => perform(models[run.model] ?? otherwise, run),
};

/** @type {(steps: readonly CliStep[], run: Run) => Promise<void>} */
export async function perform(steps, run) {
  for (const step of steps) {
    const action = /** @type {(step: CliStep, run: Run) => unknown} */ (ACTIONS[step.do]);
    await action(step, run);
  }
}

/** @param {() => void} listener */
export function onEndingSignals(listener) {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    process.removeAllListeners(signal);
    process.on(signal, listener);
  }
}

/** @type {(run: Run, usage: ResultUsage | undefined) => Promise<object>} */
async function buildStats(run, usage) {
  const inputTokens = usage?.inputTokens ?? Math.ceil((await readStdin(run)).length / 4);
  const outputTokens = usage?.outputTokens ?? Math.ceil(run.characters / 4);
  const counts = {
    total_tokens: inputTokens + outputTokens,
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    cached: 0,
    input: inputTokens,
  };
  return { ...counts, duration_ms: 1, tool_calls: 0, models: { [run.model]: counts } };
}

/** @type {(step: StepOf<'leak'>, run: Run) => Promise<void>} */
async function leak({ to, forms }, run) {
  const key = process.env['GEMINI_API_KEY'] ?? process.env['GOOGLE_API_KEY'] ?? '';
  for (const form of forms) {
    if (form === 'split') {
      await write(to, key.slice(0, key.length / 2));
      await delay(SPLIT_PAUSE_MS);
      await write(to, `${key.slice(key.length / 2)}\n`);
    } else {
      await write(to, `${secretForms[form](key)}\n`);
    }
  }
  await write(to, await readStdin(run));
}

/** @type {(step: StepOf<'spawn'>, run: Run) => void} */
function spawnSleeper({ isDetached = false, ignoresSignals = false, holdsOutput = false }, run) {
  const trap = ignoresSignals ? 'trap "" TERM INT HUP; ' : '';
  const child = spawn('/bin/sh', ['-c', `${trap}exec sleep ${MAX_LIFETIME_MS / 1000}`], {
    detached: isDetached,
    stdio: ['ignore', holdsOutput ? 'inherit' : 'ignore', holdsOutput ? 'inherit' : 'ignore'],
  });
  child.unref();
  log(run, { type: 'spawned', childPid: child.pid, isDetached });
}
