import type { Extent } from '../context/fit-window.ts';
import type { ContextBundle } from '../ports/context-resolver.ts';
import type { ConversationTurn } from '../ports/gemini-runner/run-request.ts';
import type { TokenCount } from '../ports/gemini-runner/token-usage.ts';
import { utf8Length } from '../text/utf8-length.ts';
import { type ComposedMessage, composeMessage } from './compose-message.ts';
import type { CountMessage } from './message-counter.ts';
import { type SentPart, sentParts } from './sent-part.ts';

/** After so many counts a message that is still too large is made smaller once more, and sent. */
const maxCounts = 4;

/** More than the proportion asks for, since what is left out need not be of the same script as the rest. */
const shrinkingMargin = 1.02;

export type FitOptions = {
  readonly prompt: string;
  readonly history: readonly ConversationTurn[];
  readonly bundle: ContextBundle;
  readonly boundary: string;
  /** By the estimate of four characters a token. */
  readonly estimatedRoom: Extent;
  /** What the runner carries, however many tokens it is. */
  readonly carriedRoom: Extent;
  readonly windowTokens: number;
  /** Null where nothing can count. */
  readonly count: CountMessage | null;
};

export type FittedMessage = ComposedMessage & {
  /** Of the message as it is; null where it was not counted. */
  readonly tokens: TokenCount | null;
  /** Whether a count decided what is left out. */
  readonly isFittedByCount: boolean;
};

/**
 * Composes a message that the window takes. A message that the estimate may be wrong about is counted, and made smaller until it
 * fits; where it cannot be counted, and for all others, the estimate decides. Most messages need no count.
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

/** What is known to be too large by an earlier count is not composed again as if nothing were known. */
function withoutCount(options: CountedFit, tokens: TokenCount, countsBefore: number): FittedMessage {
  const composed = countsBefore === 0 ? compose(options, options.estimatedRoom) : options.composed;
  return { ...composed, tokens, isFittedByCount: countsBefore > 0 };
}

function compose({ prompt, bundle, boundary }: FitOptions, room: Extent): ComposedMessage {
  return composeMessage({ prompt, bundle, room, boundary });
}

/** Whether the message may come to more than the window, whatever its script. */
function mayExceed({ text, bundle }: ComposedMessage, { history, windowTokens }: FitOptions): boolean {
  const ofMedia = sentParts({ ...bundle, documents: [] }).reduce((sum, part) => sum + mostMediaTokens(part), 0);
  const texts = [...history.map((turn) => turn.text), text].join('');
  return mayExceedTokens(texts, windowTokens - ofMedia);
}

/** Room for as many bytes less as the tokens that are too many come to: bytes go with tokens better than characters do, whatever the script. */
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
 * With Gemini's tokenizer, code, prose, logs, tables of numbers, base64, hexadecimal digits, Chinese, Japanese, Thai, Amharic, Cyrillic and emoji come
 * to at most 1.18 times what the figures below say.
 */
const margin = 1.2;

/** A digit and a character beyond ASCII come to a token at most, nearly; two of the others to one. */
const tokensPerOther = 0.5;

const [firstDigit, lastDigit, firstBeyondAscii] = [0x30, 0x39, 0x80];

/** A PDF has at most 1,000 pages of 258 tokens each (the Gemini documentation), and a page hardly less than 4 KB. */
const mostPdfTokens = 258_000;
const pdfBytesPerToken = 16;

/** A recording may have half of the usual rate. */
const recordingMargin = 2;

/** Whether a text may come to more than so many tokens. Looks at its characters only where its length leaves it open: a megabyte takes 2 ms. */
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

/** As many tokens as an image, a PDF or a recording may come to. */
export function mostMediaTokens({ mediaType, bytes, estimatedTokens }: SentPart): number {
  if (mediaType === 'application/pdf') {
    return Math.max(estimatedTokens, Math.min(mostPdfTokens, bytes / pdfBytesPerToken));
  }
  return mediaType?.startsWith('image/') ? estimatedTokens : estimatedTokens * recordingMargin;
}
