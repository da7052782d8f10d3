import { escapeName } from './escape-name.ts';

/** Codes are for programs that read our answers, the words for people. */
export const leftOutTexts = {
  'not-found': 'not found',
  'outside-roots': 'PATH_OUTSIDE_ROOT: outside the allowed directories',
  'not-a-file': 'not a regular file',
  'is-a-directory': 'a directory; name it in `directories` instead',
  'not-a-directory': 'not a directory',
  unreadable: 'could not be read',
  'name-too-long': 'name too long',
  sensitive: 'sensitive: looks like a secret',
  binary: 'binary',
  'not-utf8': 'not UTF-8 text',
  'no-such-lines': 'has no such lines',
  'media-not-carried': 'what carries this call cannot pass media of this type on to Gemini; name its text instead',
  'over-media-limit': 'over the limit of bytes for media',
  'pattern-refused': 'pattern refused',
  'pattern-without-match': 'pattern matched no file',
  'search-stopped': 'the search was stopped',
  'over-file-limit': 'over the limit of files',
  'over-byte-limit': 'over the limit of bytes',
  'over-window': 'does not fit into what Gemini can take in one call',
  deadline: 'time ran out before it was read',
} as const;

/** Why a file, pattern or directory did not reach Gemini. */
export type LeftOutReason = keyof typeof leftOutTexts;

/** One thing that was named or found but not sent. */
export type LeftOut = {
  /** As the caller wrote it, or relative to the working directory where a walk found it. Data from strangers: escape it before showing it. */
  readonly path: string;
  readonly reason: LeftOutReason;
  /** Which list it came from: only what was named by itself makes a call fail when nothing else is left. */
  readonly origin: 'file' | 'glob' | 'directory';
  /** A few words more, ours: an errno code, a size, a broken rule. */
  readonly detail?: string;
};

const namesPerReason = 20;

/** Brackets alone are part of many a name, such as `app/[id]/page.tsx`. */
const patternSigns = /[*?{]/;

/** Why one thing was left out. */
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
 * Says what was left out and why, one line a reason. What the caller named is listed by name, however many; of what a
 * walk or a pattern found, the first names and a count.
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
