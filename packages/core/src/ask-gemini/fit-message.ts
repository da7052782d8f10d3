import type { Extent } from '../context/fit-window.ts';
import type { ContextBundle } from '../ports/context-resolver.ts';
import type { ConversationTurn } from '../ports/gemini-runner/run-request.ts';
import type { TokenCount } from '../ports/gemini-runner/token-usage.ts';
import { utf8Length } from '../text/utf8-length.ts';
import { type ComposedMessage, composeMessage } from './compose-message.ts';
import type { CountMessage } from './message-counter.ts';
import { type SentPart, sentParts } from './sent-part.ts';

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
