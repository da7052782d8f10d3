import type { CarriedBy, ChoiceReason } from '../ports/gemini-runner/run-event.ts';
import { escapeName } from '../text/escape-name.ts';

/** Why a call did not go the way that comes first; null where it did, or where that needs no word. */
const becauseOf: Readonly<Record<ChoiceReason, string | null>> = {
  preferred: null,
  'asked-for': null,
  'needs-login': null,
  'in-reserve': null,
  'lacks-least': null,
  'needs-history': 'the call goes on with a conversation',
  'needs-system-prompt': 'the call brings a system prompt',
  'needs-tools': 'the call gives Gemini tools',
  'needs-directory': 'the call names a directory',
  'needs-media': 'the call has media of other types',
  'needs-api-key': 'the call brings a key of its own',
  'needs-sandbox': 'the call needs a sandbox',
  'needs-answer-schema': 'the call brings a schema',
  'needs-thinking': 'the call says how much Gemini is to think',
  'needs-token-count': null,
  'needs-tool-sources': 'the call lends Gemini tools',
  'needs-urls': 'the call names pages of the web',
  'too-large': 'the call is large',
  resting: 'the way that comes first could not be had lately',
  refused: 'the way that comes first refused the call',
  unavailable: 'the other way could not be had',
};

/** By which way an answer came, with which login, and why where that was not the first choice. Cost and terms differ by it. */
export function wayLines(carriedBy: CarriedBy | undefined): readonly string[] {
  if (carriedBy === undefined) {
    return [];
  }
  const { by, login, reason } = carriedBy;
  const because = becauseOf[reason];
  const brackets = login === undefined ? '' : ` (${escapeName(login)})`;
  return [`Way: ${escapeName(by)}${brackets}${because === null ? '' : `, because ${because}`}`];
}
