import type { ServerAnswer, ServerQuestion, ServerQuestions } from '@gemini-mcp/core/internal';
import type { Ask, QuestionOutcome } from '../questions/question.ts';
import { type AnswerForm, readForm } from './read-form.ts';

/** Questions of one call, passed on to the user of its client. */
export type PassedQuestions = ServerQuestions & {
  /** Why a question was not put to the user, for the one who called; null where none was left out. */
  readonly problem: string | null;
};

const cancelled: ServerAnswer = { action: 'cancel' };

/**
 * Passes the questions of a server on by `ask`. Forms come as the fields that clients know; what no client can show is cancelled. An address is
 * shown, and only the user opens it.
 */
export function passOnQuestions(ask: Ask): PassedQuestions {
  let asked = 0;
  let problem: string | null = null;
  const put = async (question: ServerQuestion, form: AnswerForm, signal: AbortSignal): Promise<ServerAnswer> => {
    asked += 1;
    const outcome = await ask({ handle: `server-${asked}`, message: question.message, fields: form.fields }, signal);
    if (outcome.type === 'cannot-ask') {
      problem = outcome.text;
    }
    return answerOf(outcome, form);
  };
  return {
    get problem() {
      return problem;
    },
    ask: async (question, signal) => {
      const shown = question.type === 'url' ? withAddress(question) : question;
      const form = question.type === 'url' ? opened : readForm(question.schema);
      if (shown === null || form === null || shown.message.length > maxMessageCharacters) {
        problem = 'It asked for what no client can show.';
        return cancelled;
      }
      return await put(shown, form, signal);
    },
  };
}

/** A longer question would be cut, and people cannot agree to what they do not see. */
const maxMessageCharacters = 2_000;

/** Null for an address whose characters cannot all be seen. */
function withAddress(question: Extract<ServerQuestion, { type: 'url' }>): ServerQuestion | null {
  const asking = 'Open this address yourself, if you trust the server with it:';
  return /^[!-~]+$/.test(question.url)
    ? { ...question, message: `${question.message}\n\n${asking}\n${question.url}` }
    : null;
}

const opened: AnswerForm = {
  fields: [{ name: 'opened', label: 'I have opened the address', type: 'yes-no' }],
  contentOf: (values) => (values['opened'] === true ? {} : null),
};

function answerOf(outcome: QuestionOutcome, form: AnswerForm): ServerAnswer {
  switch (outcome.type) {
    case 'answered': {
      const content = form.contentOf(outcome.values);
      return content === null ? { action: 'decline' } : { action: 'accept', content };
    }
    case 'declined':
      return { action: 'decline' };
    default:
      return cancelled;
  }
}
