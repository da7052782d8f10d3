import { randomUUID } from 'node:crypto';
import { createKeyedBoundary, FileRecordStore, SystemClock } from '@gemini-mcp/adapters-node';
import {
  AskForJson,
  AskGemini,
  CallQueue,
  Chat,
  type GeminiRunner,
  ModelHealth,
  PreviewContext,
  SearchWeb,
  SessionRecords,
} from '@gemini-mcp/core';
import { chainFor } from '@gemini-mcp/core/internal';
import { chooseEmbeddedRunner, chooseFileTest, chooseResolver } from './choose-ports.ts';
import { embeddedFailureWords } from './embedded-failure-words.ts';
import { findPlace, type GeminiPlace } from './find-place.ts';
import { Gemini } from './gemini.ts';
import type { GeminiOptions } from './gemini-options.ts';
import type { GeminiParts } from './gemini-parts.ts';

const defaultTimeoutMs = 600_000;
const defaultRetentionMs = 30 * 86_400_000;

/**
 * Gemini over the files of this machine: by the Gemini API if there is a key or Vertex AI for it and it can carry the call, else by the
 * Gemini CLI that is installed. `way` keeps to one of them. Reads where the user's logins are, and starts nothing before the first
 * call. Only what lies below the working directory and `roots` is read; a program that was started in a home directory or in `/`
 * reads nothing unless one of them is set. Throws if the state directory is not safe, and for options that cannot be had together.
 */
export function createGemini(options: GeminiOptions = {}): Gemini {
  const { timeoutMs = defaultTimeoutMs, owner = '' } = options;
  const place = findPlace(options);
  const { runner, close } = chooseEmbeddedRunner(options, place);
  const parts = createParts(options, { place, runner });
  const { workingDirectory } = place;
  const isFile = chooseFileTest(options, place);
  // A runner of the program's own may be anything.
  const failureWords = options.runner === undefined ? embeddedFailureWords : undefined;
  return new Gemini({ parts, defaults: { workingDirectory, timeoutMs, owner, isFile, failureWords }, close });
}

function createParts(
  options: GeminiOptions,
  { place, runner }: { readonly place: GeminiPlace; readonly runner: GeminiRunner },
): GeminiParts {
  const {
    clock = new SystemClock(),
    models = null,
    maxRunning = 4,
    maxQueued = 1_000,
    retentionMs = defaultRetentionMs,
    queue = new CallQueue({ maxRunning, maxQueued }),
    sessions = new SessionRecords({
      records: new FileRecordStore({ directory: place.stateDirectory, clock }),
      retentionMs,
    }),
  } = options;
  const resolver = chooseResolver(options, place);
  const health = new ModelHealth({ clock });
  const onAttempt = health.record.bind(health);
  const shared = { clock, resolver, runner, modelChain: models, boundaryOf: createKeyedBoundary() };
  const askGemini = new AskGemini({ ...shared, random: Math.random, queue, onAttempt });
  return {
    askGemini,
    askForJson: new AskForJson({ clock, askGemini, runner }),
    previewContext: new PreviewContext(shared),
    chat: new Chat({ clock, sessions, askGemini, createId: randomUUID }),
    searchWeb: new SearchWeb({ clock, askGemini, runner }),
    sessions,
    health,
    modelChain: chainFor(models, runner.capabilitiesFor?.({}) ?? runner.capabilities),
    clock,
    capabilities: runner.capabilities,
  };
}
