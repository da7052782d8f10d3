import { characterEnd } from '../answers/cut-end.ts';
import type { AskAnswer } from '../ask-gemini/ask-result.ts';
import { escapeName } from '../context/escape-name.ts';
import type { NamedPage } from '../grounding/web-page.ts';
import { formatCount } from './format-count.ts';

/** Enough to know a page by. */
const shownCharacters = 200;

const reasons: Readonly<Record<Exclude<NamedPage['outcome'], 'read'>, string>> = {
  failed: 'could not be read',
  paywall: 'asks for money or a login',
  unsafe: 'refused by Google as unsafe',
  untold: 'not told whether it was read',
};

/** The warning for an answer that rests on none of the named pages; empty where one was read, or none was named. */
export function pageWarning({ pages = [] }: Pick<AskAnswer, 'pages'>): readonly string[] {
  return pages.length === 0 || pages.some(({ outcome }) => outcome === 'read')
    ? []
    : ['[WARNING: Google read none of the pages, as far as it tells: the answer does not rest on them]'];
}

/** How many pages were read, and which were not and why. Empty where none were named. */
export function pageLines({ pages = [] }: Pick<AskAnswer, 'pages'>): readonly string[] {
  const missed = pages.flatMap(({ url, outcome }) =>
    outcome === 'read' ? [] : [`  - ${reasons[outcome]}: ${shown(url)}`],
  );
  const read = pages.length - missed.length;
  return pages.length === 0 ? [] : [`Pages: ${formatCount(read)} of ${formatCount(pages.length)} read`, ...missed];
}

function shown(url: string): string {
  const text = escapeName(url);
  const end = characterEnd(text, 0, shownCharacters);
  return end < text.length ? `${text.slice(0, end)}\u2026` : text;
}
