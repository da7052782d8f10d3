import type { CannotAskReason, QuestionOutcome } from './question.ts';

const texts: Readonly<Record<CannotAskReason, string>> = {
  'client-cannot': 'This client cannot show questions: it does not offer elicitation with forms.',
  'transport-cannot':
    'Nothing can be asked over REST or over HTTP without sessions. Over stdio and over HTTP with sessions it can.',
  'call-over': 'The call is over, and so nothing more can be asked for it.',
  'too-many-questions': 'This call has asked as many questions as a call may.',
  'invalid-question': 'The question cannot be shown: a form of MCP cannot hold it.',
};

/** The outcome of a question that is not put to the client. */
export function cannotAsk(reason: CannotAskReason): Extract<QuestionOutcome, { type: 'cannot-ask' }> {
  return { type: 'cannot-ask', reason, text: texts[reason] };
}
