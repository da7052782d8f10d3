import type { ChoiceReason } from '../ports/gemini-runner/run-event.ts';

/** A log line for each reason, with nothing from a request. */
export const choiceTexts: Readonly<Record<ChoiceReason, string>> = {
  preferred: 'it answers soonest, and can do what the request needs',
  'asked-for': 'the configuration asks for it, and it can do what the request needs',
  'needs-history': 'the request continues a conversation, which the preferred runner cannot',
  'needs-system-prompt': 'the request brings a system prompt, which the preferred runner cannot replace',
  'needs-tools': 'the request needs tools that the preferred runner cannot restrict',
  'needs-directory': 'the request names a directory, which the preferred runner cannot use',
  'needs-media': 'the request brings media that the preferred runner cannot carry',
  'needs-api-key': 'the request brings a key of its own, which the preferred runner cannot use',
  'needs-login': 'the preferred runner has no login of its own, and the request brings no key',
  'needs-sandbox': 'the request needs a sandbox, which the preferred runner cannot use',
  'needs-answer-schema': 'the request brings a schema for its answer, which the preferred runner cannot enforce',
  'needs-thinking': 'the request sets how much Gemini thinks, which the preferred runner cannot',
  'needs-flexible-tier': 'the request asks for the flexible tier, which the preferred runner does not have',
  'needs-urls': 'the request names web pages, which the preferred runner cannot read',
  'needs-tool-sources': 'the request brings tools, which the preferred runner cannot offer',
  'needs-token-count': 'the request needs a token count, which the preferred runner does not support',
  'too-large': 'the request is larger than the preferred runner can carry',
  resting: 'the preferred runner was unavailable several times in a row, and rests',
  'in-reserve': 'it is tried if the runner before it refuses the request or is unavailable',
  refused: 'the runner before it refused the request as unsupported',
  unavailable: 'the runner before it was unavailable',
  'lacks-least': 'no runner supports everything that the request needs, and this one lacks the least',
};
