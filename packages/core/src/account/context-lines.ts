import type { ContextReport } from '../answers/ask-result.ts';
import { isLeftOutByLimit } from '../context/context-format.ts';
import { leftOutLines } from '../context/left-out.ts';
import type { LeftOut } from '../failure/left-out.ts';
import { countOf, formatCount } from '../text/format-count.ts';
import { limitsText } from './limits-text.ts';
import { workingDirectoryLine } from './working-directory-line.ts';

const missedReasons: ReadonlySet<LeftOut['reason']> = new Set([
  'not-found',
  'outside-roots',
  'not-a-directory',
  'pattern-without-match',
]);

/** Whether the caller may have meant another path. */
function isMissed({ reason }: LeftOut): boolean {
  return missedReasons.has(reason);
}

/**
 * The context sent with the prompt, and the omitted files with the reasons. Empty if the caller named nothing. A failed call says `read`,
 * because it may have failed before anything was sent.
 */
export function contextLines(context: ContextReport | null, verb: 'sent' | 'read' = 'sent'): readonly string[] {
  if (context === null) {
    return [];
  }
  const { files, media, bytes, leftOut } = context;
  const mediaText = media === 0 ? '' : ` (media: ${formatCount(media)})`;
  return [
    `Context: ${countOf(files, 'file')}${mediaText}, ${countOf(bytes, 'byte')} ${verb}`,
    ...(leftOut.length === 0 ? [] : [`Left out: ${formatCount(leftOut.length)}`]),
    ...leftOutLines(leftOut).map((line) => `  - ${line}`),
    ...(files === 0 || leftOut.some(isMissed) ? workingDirectoryLine(context.workingDirectory) : []),
    ...limitLines(context),
  ];
}

function limitLines({ leftOut, limits }: ContextReport): readonly string[] {
  return leftOut.some(isLeftOutByLimit)
    ? [
        `Limits of this call: ${limitsText(limits)} (as requested or set here, lowered to the sizes that can reach the model)`,
      ]
    : [];
}
