import type { ContextReport } from '../ask-gemini/ask-result.ts';
import { isLeftOutByLimit } from '../context/context-format.ts';
import { leftOutLines } from '../context/left-out-text.ts';
import { countOf, formatCount } from './format-count.ts';
import { limitsText } from './limits-text.ts';

/** What was sent beside the prompt, what was not, and why. Empty when the caller named nothing. */
export function contextLines(context: ContextReport | null): readonly string[] {
  if (context === null) {
    return [];
  }
  const { files, media, bytes, leftOut } = context;
  const mediaText = media === 0 ? '' : ` (images or PDFs: ${formatCount(media)})`;
  return [
    `Context: ${countOf(files, 'file')}${mediaText}, ${countOf(bytes, 'byte')} sent`,
    ...(leftOut.length === 0 ? [] : [`Left out: ${formatCount(leftOut.length)}`]),
    ...leftOutLines(leftOut).map((line) => `  - ${line}`),
    ...limitLines(context),
  ];
}

function limitLines({ leftOut, limits }: ContextReport): readonly string[] {
  return leftOut.some(isLeftOutByLimit)
    ? [`Limits of this call: ${limitsText(limits)} (what was asked for, lowered to what can reach the model)`]
    : [];
}
