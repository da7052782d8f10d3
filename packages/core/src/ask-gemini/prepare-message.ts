import type { ContextLimits, ContextReport } from '../answers/ask-result.ts';
import { type BoundaryOf, boundaryFor } from '../context/boundary.ts';
import { isLeftOutByLimit } from '../context/context-format.ts';
import type { Extent } from '../context/fit-window.ts';
import type { GeminiFailure } from '../failure/gemini-failure.ts';
import type { ContextBundle, ContextDocument, ContextResolver, InlineMedia } from '../ports/context-resolver.ts';
import type { ConversationTurn } from '../ports/gemini-runner/run-request.ts';
import { plainRunSettings } from '../ports/gemini-runner/run-settings.ts';
import type { RunnerCapabilities } from '../ports/gemini-runner/runner-capabilities.ts';
import type { TokenCount } from '../ports/gemini-runner/token-usage.ts';
import { utf8Length } from '../text/utf8-length.ts';
import { aborted, unlessAborted } from '../waiting/unless-aborted.ts';
import type { AskRequest, OnProgress } from './ask-request.ts';
import {
  type ComposedMessage,
  carriedRoom,
  composeMessage,
  historyCharacters,
  messageRoom,
} from './compose-message.ts';
import type { CountMessage } from './message-counter.ts';
import { type SentPart, sentParts } from './sent-part.ts';

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

/** After this many counts, a message that is still too large is made smaller once more, and sent. */
const maxCounts = 4;

/** More than the proportion requires, because the omitted text may be in another script than the rest. */
const shrinkingMargin = 1.02;

export type FitOptions = {
  readonly prompt: string;
  readonly history: readonly ConversationTurn[];
  readonly bundle: ContextBundle;
  readonly boundary: string;
  /** By the estimate of four characters for each token. */
  readonly estimatedRoom: Extent;
  /** The runner's limits, regardless of tokens. */
  readonly carriedRoom: Extent;
  readonly windowTokens: number;
  /** Null if nothing can count. */
  readonly count: CountMessage | null;
};

export type FittedMessage = ComposedMessage & {
  /** Of the message in its final form; null if it was not counted. */
  readonly tokens: TokenCount | null;
  /** Whether a count decided which files are left out. */
  readonly isFittedByCount: boolean;
};

/**
 * Composes a message that fits the window. If the estimate may be wrong, the message is counted and made smaller until it fits; if it cannot be
 * counted, and in all other cases, the estimate decides. Most messages need no count.
 */
export async function fitMessage(options: FitOptions, signal: AbortSignal): Promise<FittedMessage> {
  const { count, estimatedRoom, carriedRoom } = options;
  const composed = compose(options, count === null ? estimatedRoom : carriedRoom);
  return count === null || !mayExceed(composed, options)
    ? { ...composed, tokens: null, isFittedByCount: false }
    : await fitByCounts({ ...options, count, composed }, signal);
}

type CountedFit = FitOptions & { readonly count: CountMessage; readonly composed: ComposedMessage };

async function fitByCounts(options: CountedFit, signal: AbortSignal): Promise<FittedMessage> {
  const { count, windowTokens } = options;
  let { composed } = options;
  for (let counts = 0; counts < maxCounts && !signal.aborted; counts += 1) {
    const tokens = await count(composed.text, composed.bundle.media ?? []);
    if (!tokens.ok) {
      return withoutCount({ ...options, composed }, tokens, counts);
    }
    if (tokens.tokens <= windowTokens || composed.bundle.documents.length === 0) {
      return { ...composed, tokens, isFittedByCount: true };
    }
    composed = compose(options, shrunkRoom(composed, tokens.tokens, options));
  }
  return { ...composed, tokens: null, isFittedByCount: true };
}

/** A message that an earlier count proved too large is not composed again without that knowledge. */
function withoutCount(options: CountedFit, tokens: TokenCount, countsBefore: number): FittedMessage {
  const composed = countsBefore === 0 ? compose(options, options.estimatedRoom) : options.composed;
  return { ...composed, tokens, isFittedByCount: countsBefore > 0 };
}

function compose({ prompt, bundle, boundary }: FitOptions, room: Extent): ComposedMessage {
  return composeMessage({ prompt, bundle, room, boundary });
}

/** Whether the message may exceed the window, whatever its script. */
function mayExceed({ text, bundle }: ComposedMessage, { history, windowTokens }: FitOptions): boolean {
  const ofMedia = sentParts({ ...bundle, documents: [] }).reduce((sum, part) => sum + mostMediaTokens(part), 0);
  const texts = [...history.map((turn) => turn.text), text].join('');
  return mayExceedTokens(texts, windowTokens - ofMedia);
}

/** Less room, by the bytes that the excess tokens are worth: bytes are closer to tokens than characters are, in any script. */
function shrunkRoom(
  { text, bundle }: ComposedMessage,
  tokens: number,
  { history, windowTokens, carriedRoom }: FitOptions,
): Extent {
  const media = sentParts({ ...bundle, documents: [] });
  const ofMedia = media.reduce((sum, { estimatedTokens }) => sum + estimatedTokens, 0);
  const messageBytes = utf8Length(text);
  const textBytes = history.reduce((sum, turn) => sum + utf8Length(turn.text), messageBytes);
  const bytesPerToken = textBytes / (tokens > ofMedia ? tokens - ofMedia : tokens);
  const excessBytes = Math.ceil((tokens - windowTokens) * bytesPerToken * shrinkingMargin);
  return { ...carriedRoom, bytes: messageBytes - excessBytes };
}

/**
 * By Gemini's tokenizer, code, prose, logs, tables of numbers, base64, hexadecimal digits, Chinese, Japanese, Thai, Amharic, Cyrillic and emoji have
 * at most 1.18 times as many tokens as the figures below say.
 */
const margin = 1.2;

/** A digit and a character beyond ASCII take about one token at most, two of the others one. */
const tokensPerOther = 0.5;

const [firstDigit, lastDigit, firstBeyondAscii] = [0x30, 0x39, 0x80];

/** A PDF has at most 1,000 pages of 258 tokens each (the Gemini documentation), and a page rarely takes less than 4 KB. */
const mostPdfTokens = 258_000;
const pdfBytesPerToken = 16;

/** A recording may have half of the usual bit rate. */
const recordingMargin = 2;

/** Whether a text may have more than this many tokens. Reads its characters only if its length does not decide: a megabyte takes 2 ms. */
export function mayExceedTokens(text: string, tokens: number): boolean {
  const [least, most] = [text.length * tokensPerOther * margin, text.length * margin];
  return least > tokens || (most > tokens && mostTokens(text) > tokens);
}

function mostTokens(text: string): number {
  let dense = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    dense += unit >= firstBeyondAscii || (unit >= firstDigit && unit <= lastDigit) ? 1 : 0;
  }
  return margin * (dense + (text.length - dense) * tokensPerOther);
}

/** The most tokens that an image, a PDF or a recording may have. */
export function mostMediaTokens({ mediaType, bytes, estimatedTokens }: SentPart): number {
  if (mediaType === 'application/pdf') {
    return Math.max(estimatedTokens, Math.min(mostPdfTokens, bytes / pdfBytesPerToken));
  }
  return mediaType?.startsWith('image/') ? estimatedTokens : estimatedTokens * recordingMargin;
}
