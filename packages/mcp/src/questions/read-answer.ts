import { escapeControls } from '@gemini-mcp/core/internal';
import { isJsonObject } from '../request-params.ts';
import { choiceField } from './fields-of.ts';
import type { Question, QuestionField, QuestionOutcome, QuestionValue } from './question.ts';
import { maxCharactersOf } from './text-limits.ts';

const invalid: QuestionOutcome = { type: 'unanswered', reason: 'invalid-answer' };

/**
 * Reads what a client answers. It may be anything: `accept` with nothing in it, values of other types, names that were not asked for.
 * Only what the question asked for is taken over.
 */
export function readAnswer(question: Question, fields: readonly QuestionField[], answer: unknown): QuestionOutcome {
  const { action, content } = isJsonObject(answer) ? answer : {};
  switch (action) {
    case 'decline':
      return { type: 'declined' };
    case 'cancel':
      return { type: 'dismissed' };
    case 'accept':
      return isJsonObject(content) ? readContent(question, fields, content) : invalid;
    default:
      return invalid;
  }
}

function readContent(
  question: Question,
  fields: readonly QuestionField[],
  content: Readonly<Record<string, unknown>>,
): QuestionOutcome {
  const values: Record<string, QuestionValue> = {};
  for (const field of fields) {
    const given = Object.hasOwn(content, field.name) ? content[field.name] : undefined;
    const value = readValue(field, given);
    if (value !== null) {
      values[field.name] = value;
    } else if (given !== undefined || field.isOptional !== true) {
      return invalid;
    }
  }
  const choice = values[choiceField];
  return 'choices' in question && typeof choice === 'string'
    ? { type: 'chosen', choice }
    : { type: 'answered', values };
}

/** Null for what the field does not accept. */
function readValue(field: QuestionField, given: unknown): QuestionValue | null {
  switch (field.type) {
    case 'text':
      return typeof given === 'string' && given.length <= maxCharactersOf(field) ? escapeControls(given) : null;
    case 'number':
      return typeof given === 'number' && isWithin(field, given) ? given : null;
    case 'yes-no':
      return typeof given === 'boolean' ? given : null;
    case 'choice':
      return field.choices.find(({ name }) => name === given)?.name ?? null;
  }
}

function isWithin(field: Extract<QuestionField, { type: 'number' }>, given: number): boolean {
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY, isInteger = false } = field;
  return Number.isFinite(given) && given >= min && given <= max && (!isInteger || Number.isInteger(given));
}
