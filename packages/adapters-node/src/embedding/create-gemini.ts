import { randomBytes, randomUUID } from 'node:crypto';
import { AskGemini, CallQueue, Chat, defaultModelChain, PreviewContext, SearchWeb } from '@gemini-mcp/core';
import { SystemClock } from '../clock/system-clock.ts';
import { FileSessionStore } from '../state/file-session-store.ts';
import { chooseEmbeddedRunner, chooseResolver } from './choose-ports.ts';
import { findPlace } from './find-place.ts';
import { Gemini } from './gemini.ts';
import type { GeminiOptions } from './gemini-options.ts';

const defaultTimeoutMs = 600_000;
const defaultRetentionMs = 30 * 86_400_000;

const createBoundary = (): string => randomBytes(9).toString('hex');

/**
 * Gemini over the files of this machine, by the Gemini CLI that is installed and its login or key. Starts nothing before the first
 * call. Only what lies below the working directory and `roots` is read; a program that was started in a home directory or in `/`
 * reads nothing unless one of them is set. Throws where the state directory is not safe.
 */
export function createGemini(options: GeminiOptions = {}): Gemini {
  const {
    clock = new SystemClock(),
    models: modelChain = defaultModelChain,
    maxRunning = 4,
    maxQueued = 1_000,
  } = options;
  const { timeoutMs = defaultTimeoutMs, retentionMs = defaultRetentionMs, owner = '' } = options;
  const place = findPlace(options);
  const { workingDirectory, stateDirectory: directory } = place;
  const { runner, close } = chooseEmbeddedRunner(options, place);
  const resolver = chooseResolver(options, place);
  const queue = options.queue ?? new CallQueue({ maxRunning, maxQueued });
  const askGemini = new AskGemini({ clock, resolver, runner, modelChain, random: Math.random, createBoundary, queue });
  const sessions = options.sessions ?? new FileSessionStore({ directory, clock, retentionMs });
  const { capabilities } = runner;
  return new Gemini({
    askGemini,
    previewContext: new PreviewContext({ clock, resolver, capabilities, modelChain, createBoundary }),
    chat: new Chat({ clock, sessions, askGemini, createId: randomUUID }),
    searchWeb: new SearchWeb({ clock, askGemini }),
    defaults: { workingDirectory, timeoutMs, owner },
    close,
  });
}
