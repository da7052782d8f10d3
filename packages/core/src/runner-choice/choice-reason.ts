import type { ChoiceReason } from '../ports/gemini-runner/run-event.ts';

/** Each reason as one line for a log, which holds nothing of any request. */
export const choiceTexts: Readonly<Record<ChoiceReason, string>> = {
  preferred: 'it answers soonest, and can do what the request needs',
  'asked-for': 'the configuration asks for it, and it can do what the request needs',
  'needs-history': 'the request goes on with a conversation, which the preferred runner cannot',
  'needs-system-prompt': 'the request brings a system prompt, which the preferred runner cannot replace',
  'needs-tools': 'the request needs tools that the preferred runner cannot keep to',
  'needs-directory': 'the request names a directory, which the preferred runner cannot give',
  'needs-media': 'the request brings media that the preferred runner cannot carry',
  'needs-api-key': 'the request brings a key of its own, which the preferred runner cannot use',
  'needs-login': 'the preferred runner has no login of its own, and the request brings no key',
  'needs-sandbox': 'the request needs a sandbox, which the preferred runner cannot use',
  'needs-answer-schema': 'the request brings a schema for its answer, which the preferred runner cannot keep to',
  'needs-thinking': 'the request says how much Gemini is to think, which the preferred runner cannot',
  'needs-urls': 'the request names pages of the web, which the preferred runner cannot have read',
  'needs-tool-sources': 'the request lends tools, which the preferred runner cannot',
  'needs-token-count': 'the tokens of the request are to be counted, which the preferred runner cannot',
  'too-large': 'the request is larger than the preferred runner can carry',
  resting: 'the preferred runner could not be had several times in a row, and rests',
  'in-reserve': 'it is tried when the runner before it refuses the request or cannot be had',
  refused: 'the runner before it refused the request as unsupported',
  unavailable: 'the runner before it could not be had',
  'lacks-least': 'no runner can do all that the request needs, and this one lacks least of it',
};
