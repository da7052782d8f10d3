import { type LeftOut, leftOutTexts } from '../failure/left-out.ts';
import { escapeName } from '../text/escape-name.ts';

const namesPerReason = 20;

/** Brackets alone are part of many names, such as `app/[id]/page.tsx`. */
const patternSigns = /[*?{]/;

/** Why one entry was left out. */
export function leftOutReasonText({ path, reason, origin, detail }: LeftOut): string {
  if (reason === 'not-found' && origin === 'file' && patternSigns.test(path)) {
    return 'not found as a file; name a pattern in `glob_patterns` instead';
  }
  if (reason === 'media-not-carried' && detail !== undefined && /^(?:audio|video)\//.test(detail)) {
    return `audio and video go to Gemini over the Gemini API alone, which needs an API key and did not carry this call (${escapeName(detail)})`;
  }
  return detail === undefined ? leftOutTexts[reason] : `${leftOutTexts[reason]} (${escapeName(detail)})`;
}

/**
 ** Lists the omitted files and the reasons, one line for each reason. Names from the caller are all listed; of those that a walk or a pattern found, the first
 * few and a count.
 */
export function leftOutLines(leftOut: readonly LeftOut[]): readonly string[] {
  const groups = new Map<string, LeftOut[]>();
  for (const entry of leftOut) {
    const text = leftOutReasonText(entry);
    const group = groups.get(text);
    if (group === undefined) {
      groups.set(text, [entry]);
    } else {
      group.push(entry);
    }
  }
  return [...groups].map(([text, entries]) => `${text}: ${namesOf(entries)}`);
}

function namesOf(entries: readonly LeftOut[]): string {
  const named = entries.filter((entry) => entry.origin === 'file');
  const found = entries.filter((entry) => entry.origin !== 'file');
  const shown = [...named, ...found.slice(0, namesPerReason)].map((entry) => escapeName(entry.path));
  const hidden = found.length - Math.min(found.length, namesPerReason);
  return hidden === 0 ? shown.join(', ') : `${shown.join(', ')} and ${hidden} more`;
}
