import type { ContextLimits, ContextReport } from '../answers/ask-result.ts';
import { type BoundaryOf, boundaryFor } from '../context/boundary.ts';
import { isLeftOutByLimit } from '../context/context-format.ts';
import type { Extent } from '../context/fit-window.ts';
import type { GeminiFailure } from '../failure/gemini-failure.ts';
import type { ContextBundle, ContextDocument, ContextResolver, InlineMedia } from '../ports/context-resolver.ts';
import { plainRunSettings } from '../ports/gemini-runner/run-settings.ts';
import type { RunnerCapabilities } from '../ports/gemini-runner/runner-capabilities.ts';
import type { TokenCount } from '../ports/gemini-runner/token-usage.ts';
import { aborted, unlessAborted } from '../waiting/unless-aborted.ts';
import type { AskRequest, OnProgress } from './ask-request.ts';
import { carriedRoom, historyCharacters, messageRoom } from './compose-message.ts';
import { type FitOptions, type FittedMessage, fitMessage } from './fit-message.ts';
import type { CountMessage } from './message-counter.ts';

export type PrepareMessageOptions = {
  readonly request: AskRequest;
  readonly deadlineAtMs: number;
  /** The window of each model that may be asked. */
  readonly windowTokens: number;
  readonly resolver: ContextResolver;
  readonly capabilities: RunnerCapabilities;
  readonly boundaryOf: BoundaryOf;
  /** Null if the runner cannot count. */
  readonly count: CountMessage | null;
  readonly onProgress: OnProgress;
};

export type PreparedMessage =
  | {
      readonly failure: null;
      readonly message: string;
      /** To send with the message. */
      readonly media: readonly InlineMedia[];
      /** The documents in the message, in order. */
      readonly documents: readonly ContextDocument[];
      /** Null if the caller named nothing. */
      readonly context: ContextReport | null;
      /** Present even without context to limit. */
      readonly limits: ContextLimits;
      /** Of the message with its media and the conversation; null if nothing counted them. */
      readonly tokens: TokenCount | null;
    }
  | { readonly failure: GeminiFailure; readonly context: ContextReport | null };

/** Reads the files that the caller named and writes the message to Gemini; without names the message is the prompt itself. */
export async function prepareMessage(options: PrepareMessageOptions, signal: AbortSignal): Promise<PreparedMessage> {
  const { request, capabilities, windowTokens, count, onProgress } = options;
  const estimatedRoom = messageRoom({ capabilities, windowTokens, history: request.history });
  const room = count === null ? estimatedRoom : carriedRoom({ capabilities, history: request.history });
  const tooLarge = refuseWithoutRoom(request, room);
  if (tooLarge !== null) {
    return { failure: tooLarge, context: null };
  }
  const limits = {
    maxFiles: request.maxFiles,
    maxBytes: Math.min(request.maxBytes, room.bytes),
    maxCharacters: room.characters,
    maxMediaBytes: Math.min(request.maxMediaBytes ?? capabilities.maxMediaBytes, capabilities.maxMediaBytes),
  };
  if (!namesContext(request)) {
    return { failure: null, message: request.prompt, media: [], documents: [], context: null, limits, tokens: null };
  }
  onProgress({ type: 'reading-context' });
  const bundle = await unlessAborted(resolve(options, limits, signal), signal);
  if (bundle === aborted) {
    return { failure: { kind: 'cancelled' }, context: null };
  }
  const fitted = await fit(options, { bundle, estimatedRoom, carriedRoom: room }, signal);
  if (signal.aborted) {
    return { failure: { kind: 'cancelled' }, context: null };
  }
  const { text, bundle: sent, tokens } = fitted;
  const lowered = lowerLimits(limits, fitted, { estimatedRoom, windowTokens });
  const context = report({ bundle: sent, limits: lowered, resolver: options.resolver });
  const { documents, media = [] } = sent;
  if (documents.length + media.length === 0) {
    return { failure: explainNothingToSend(sent, { limits: lowered, request }), context };
  }
  onProgress({ type: 'context-ready', files: context.files, bytes: context.bytes });
  return { failure: null, message: text, media, documents, context, limits: lowered, tokens };
}

type Rooms = Pick<FitOptions, 'bundle' | 'estimatedRoom' | 'carriedRoom'>;

function fit(options: PrepareMessageOptions, rooms: Rooms, signal: AbortSignal): Promise<FittedMessage> {
  const { request, windowTokens, boundaryOf, count, deadlineAtMs } = options;
  const { prompt, owner = '', history = [], settings, urls = [] } = request;
  const readsMore = urls.length > 0 || (settings ?? plainRunSettings).tools !== 'none';
  const boundary = boundaryFor({
    owner,
    bundle: rooms.bundle,
    texts: [prompt, ...history.map(({ text }) => text)],
    freshness: readsMore ? `${deadlineAtMs}` : null,
    boundaryOf,
  });
  return fitMessage({ ...rooms, prompt, history, boundary, windowTokens, count }, signal);
}

/** The limits that shaped the message: by tokens if they were counted, by the estimate if a count failed. */
function lowerLimits(
  limits: ContextLimits,
  { tokens, isFittedByCount }: FittedMessage,
  { estimatedRoom, windowTokens }: { readonly estimatedRoom: Extent; readonly windowTokens: number },
): ContextLimits {
  if (isFittedByCount) {
    return { ...limits, maxTokens: windowTokens };
  }
  return tokens === null ? limits : { ...limits, maxCharacters: estimatedRoom.characters };
}

/** A conversation that is too long stays too long, whatever else is left out, so no file is read. */
function refuseWithoutRoom({ prompt, history = [] }: AskRequest, room: Extent): GeminiFailure | null {
  const said = historyCharacters(history);
  if (said === 0 || prompt.length <= room.characters) {
    return null;
  }
  const refusal = { measure: 'characters', actual: prompt.length + said, limit: room.characters + said } as const;
  return { kind: 'context-too-large', refusal, excerpt: '' };
}

function namesContext({ files, globPatterns, directories }: AskRequest): boolean {
  return files.length + globPatterns.length + directories.length > 0;
}

function resolve(
  { request, deadlineAtMs, resolver, capabilities: { mediaTypes } }: PrepareMessageOptions,
  { maxFiles, maxBytes, maxMediaBytes }: ContextLimits,
  signal: AbortSignal,
): Promise<ContextBundle> {
  const { files, globPatterns, directories } = request;
  const names = { files, globPatterns, directories };
  return resolver.resolve({ ...names, maxFiles, maxBytes, deadlineAtMs, mediaTypes, maxMediaBytes }, signal);
}

type ReportOptions = {
  readonly bundle: ContextBundle;
  readonly limits: ContextLimits;
  readonly resolver: ContextResolver;
};

function report({ bundle, limits, resolver: { workingDirectory } }: ReportOptions): ContextReport {
  const { documents, media = [], leftOut } = bundle;
  const sizes = [...documents.map(({ sizeBytes }) => sizeBytes), ...media.map(({ bytes }) => bytes.length)];
  return {
    files: new Set([...documents, ...media].map(({ path }) => path)).size,
    media: media.length,
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    ...(workingDirectory !== undefined && { workingDirectory }),
    leftOut,
    limits,
  };
}

/** The caller asked about files and none can be sent: an answer without them would be a guess. */
function explainNothingToSend(
  { leftOut }: ContextBundle,
  { limits: { maxBytes }, request }: { readonly limits: ContextLimits; readonly request: AskRequest },
): GeminiFailure {
  if (leftOut.some((entry) => entry.reason === 'deadline')) {
    return { kind: 'timeout' };
  }
  // A stopped search has found nothing: its text says what to name instead.
  const overLimits = leftOut.filter((entry) => entry.reason !== 'search-stopped' && isLeftOutByLimit(entry));
  if (overLimits.length === 0) {
    return { kind: 'no-context', leftOut };
  }
  const isSetLimit = maxBytes === request.maxBytes && overLimits.every(({ reason }) => reason === 'over-byte-limit');
  return {
    ...{ kind: 'context-too-large', refusal: null, excerpt: '' },
    ...(isSetLimit && { setLimitBytes: maxBytes }),
  };
}
