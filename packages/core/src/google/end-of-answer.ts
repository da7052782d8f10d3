import { type AnswerEnding, isDelivered } from '../failure/answer-ending.ts';
import type { GeminiFailure } from '../failure/gemini-failure.ts';
import type { RunEnd } from '../ports/gemini-runner/run-event.ts';
import { excerptFrom } from '../text/excerpt-from.ts';

export type EndedAnswer = {
  readonly ending: AnswerEnding;
  /** Whether any visible text came. */
  readonly hasText: boolean;
  /** The API's name for the model. */
  readonly modelVersion?: string;
};

/** The end of a run whose model gave this ending: an answer only if there was text and the ending allows its delivery. */
export function endOfAnswer({ ending, hasText, modelVersion }: EndedAnswer): RunEnd {
  if (hasText && isDelivered(ending)) {
    return { type: 'answer', ending, ...(modelVersion !== undefined && { modelVersion }) };
  }
  return { type: 'failure', failure: failureOfEnding({ ending, hasText }) };
}

/** The failure of an answer without text, or with an ending that is not delivered. `said` is other text of the run: untrusted, already redacted. */
export function failureOfEnding({ ending, hasText }: EndedAnswer, said: string = ''): GeminiFailure {
  const excerpt = excerptFrom([reasonText(ending), said].filter((part) => part !== '').join('\n'));
  if (ending.type === 'blocked') {
    return { kind: 'blocked', what: ending.what, excerpt };
  }
  return hasText ? { kind: 'malformed-output', excerpt } : { kind: 'empty-answer', excerpt };
}

function reasonText(ending: AnswerEnding): string {
  switch (ending.type) {
    case 'output-limit':
      return 'Gemini reached its output limit before it wrote any text: its thoughts count too.';
    case 'blocked':
      return `${ending.what === 'prompt' ? 'Block' : 'Finish'} reason of the API: ${ending.reason}`;
    case 'malformed':
    case 'unknown':
      return `Finish reason of the API: ${ending.reason}`;
    default:
      return '';
  }
}
