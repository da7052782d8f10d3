import { failureReason } from '../account/failure-reason.ts';
import type { FailureWords } from '../account/failure-words.ts';
import { limitsText } from '../account/limits-text.ts';
import { workingDirectoryLine } from '../account/working-directory-line.ts';
import type { SentPart } from '../ask-gemini/sent-part.ts';
import { formatLineRange } from '../context/format-line-range.ts';
import { leftOutLines } from '../context/left-out.ts';
import { escapeName } from '../text/escape-name.ts';
import { countOf, formatCount } from '../text/format-count.ts';
import type { ContextPreview } from './preview-context.ts';

const maxEntryLines = 200;

export type FormatPreviewOptions = {
  /** Texts on why the tokens could not be counted that replace this package's own. */
  readonly words?: FailureWords | undefined;
};

/** A preview as text for a model: the totals, the parts with the largest first, then the omitted files and the reasons. */
export function formatPreview(
  { entries, leftOut, ...preview }: ContextPreview,
  { words }: FormatPreviewOptions = {},
): string {
  const { messageBytes, messageCharacters, windowTokens, share, limits } = preview;
  return [
    `${whatWasDone(preview)} A call with these arguments would send:`,
    `Message: ${countOf(messageBytes, 'byte')}, ${countOf(messageCharacters, 'character')}`,
    `Tokens: ${tokensText(preview, words)}, ${(share * 100).toFixed(1)} % of the window of ${formatCount(windowTokens)}`,
    `Limits: ${limitsText(limits)}`,
    ...workingDirectoryLine(preview.workingDirectory),
    '',
    ...entryLines(entries),
    ...(leftOut.length === 0 ? [] : ['', `Left out: ${formatCount(leftOut.length)}`]),
    ...leftOutLines(leftOut).map((line) => `  - ${line}`),
  ].join('\n');
}

type Tokens = Pick<ContextPreview, 'estimatedTokens' | 'canBeCounted' | 'countedTokens' | 'countFailure'>;

/** A user of a preview wants to know whether anything has left the machine. */
function whatWasDone({ countedTokens, countFailure }: Pick<Tokens, 'countedTokens' | 'countFailure'>): string {
  const isRefused = countFailure?.kind === 'unsupported';
  return countedTokens === undefined && (countFailure === undefined || isRefused)
    ? 'Nothing was sent.'
    : 'No model was asked; Google was sent this to count its tokens.';
}

function tokensText(
  { estimatedTokens, canBeCounted, countedTokens, countFailure }: Tokens,
  words?: FailureWords,
): string {
  if (countedTokens !== undefined) {
    return `${formatCount(countedTokens)} (counted)`;
  }
  const hint = canBeCounted ? '; with count: true Google gets all this and counts' : '';
  const more = countFailure === undefined ? hint : `; they could not be counted: ${failureReason(countFailure, words)}`;
  return `about ${formatCount(estimatedTokens)} (estimated${more})`;
}

function entryLines(entries: readonly SentPart[]): readonly string[] {
  if (entries.length === 0) {
    return ['No files: the prompt alone.'];
  }
  const ordered = [...entries].sort((one, other) => other.bytes - one.bytes);
  const rest = ordered.slice(maxEntryLines);
  return [
    `Parts: ${formatCount(entries.length)}, ${sizeOf(entries)} (estimated)`,
    ...ordered.slice(0, maxEntryLines).map((entry) => `  ${nameOf(entry)}: ${sizeOf([entry])}`),
    ...(rest.length === 0 ? [] : [`  and ${formatCount(rest.length)} more: ${sizeOf(rest)}`]),
  ];
}

function nameOf({ path, lines, mediaType }: SentPart): string {
  const part = lines === undefined ? '' : `:${formatLineRange(lines)}`;
  const kind = mediaType === undefined ? '' : ` (${escapeName(mediaType)})`;
  return `${escapeName(path)}${part}${kind}`;
}

function sizeOf(entries: readonly SentPart[]): string {
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  const tokens = entries.reduce((sum, entry) => sum + entry.estimatedTokens, 0);
  return `${countOf(bytes, 'byte')}, about ${countOf(tokens, 'token')}`;
}
