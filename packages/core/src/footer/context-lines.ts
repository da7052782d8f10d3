import type { ContextReport } from '../ask-gemini/ask-result.ts';
import { isLeftOutByLimit } from '../context/context-format.ts';
import { leftOutLines } from '../context/left-out-text.ts';
import { countOf, formatCount } from './format-count.ts';

/** What was sent beside the prompt, what was not, and why. Empty when the caller named nothing. */
export function contextLines(context: ContextReport | null): readonly string[] {
  if (context === null) {
    return [];
  }
  const { files, bytes, leftOut } = context;
  return [
    `Context: ${countOf(files, 'file')}, ${countOf(bytes, 'byte')} sent`,
    ...(leftOut.length === 0 ? [] : [`Left out: ${formatCount(leftOut.length)}`]),
    ...leftOutLines(leftOut).map((line) => `  - ${line}`),
    ...limitLines(context),
  ];
}

function limitLines({ leftOut, limits }: ContextReport): readonly string[] {
  // The limit of media is none of these three: its entry says how large the file was.
  if (!leftOut.some((entry) => isLeftOutByLimit(entry) && entry.reason !== 'over-media-limit')) {
    return [];
  }
  const { maxFiles, maxBytes, maxCharacters } = limits;
  return [
    `Limits of this call: ${countOf(maxFiles, 'file')}, ${countOf(maxBytes, 'byte')}, ${countOf(maxCharacters, 'character')}` +
      ' (what was asked for, lowered to what the Gemini CLI and the model carry)',
  ];
}
