import type { Extent } from '../context/fit-window.ts';
import { utf8Length } from '../context/utf8-length.ts';
import type { ContextBundle } from '../ports/context-resolver.ts';
import type { ConversationTurn } from '../ports/gemini-runner.ts';
import type { TokenCount } from '../ports/token-count.ts';
import { type ComposedMessage, composeMessage } from './compose-message.ts';
import type { CountMessage } from './message-counter.ts';
import { mayExceedTokens, mostMediaTokens } from './most-tokens.ts';
import { sentParts } from './sent-part.ts';

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
