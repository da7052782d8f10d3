import { isNumber, isRecord, isText, oneOf } from '../json/shape.ts';
import type { AnswerForm } from '../json-answer/answer-form.ts';
import { characterEnd } from '../text/truncate-text.ts';
import type { PointKind, Position } from './opinion.ts';

const text = { type: 'string' } as const;

/** In the order in which a reader gets them. */
export const pointKinds: readonly PointKind[] = ['agreement', 'only-one', 'contradiction'];

/** The JSON Schema of Gemini's answer. Every member is required: Gemini leaves optional ones out. */
const schema = {
  type: 'object',
  properties: {
    points: {
      type: 'array',
      description: 'The points that matter most first.',
      items: {
        type: 'object',
        properties: {
          kind: { ...text, enum: pointKinds },
          statement: {
            ...text,
            description: 'The point in one sentence; for a contradiction, the question on which the answers differ.',
          },
          rests_on: {
            type: 'array',
            description: 'Each answer that the point rests on, once.',
            items: {
              type: 'object',
              properties: {
                answer: { type: 'integer', description: 'Its number.' },
                says: { ...text, description: 'What it says on the point, in one sentence.' },
                quote: { ...text, description: 'Five to thirty words in a row, copied exactly from this answer.' },
              },
              required: ['answer', 'says', 'quote'],
            },
          },
        },
        required: ['kind', 'statement', 'rests_on'],
      },
    },
  },
  required: ['points'],
} as const;

/** The form of a comparison of answers. */
export const comparisonForm: AnswerForm = {
  schema,
  findProblem: (value) =>
    isRecord(value) && Array.isArray(value['points']) ? null : '- the answer: must be an object with "points", a list',
};

/** A point as Gemini wrote it. Nothing in it is checked. */
export type RawPoint = {
  readonly kind: PointKind;
  readonly statement: string;
  readonly positions: readonly Position[];
};

/** More points are no summary. */
const maxPoints = 30;
const maxCharacters = { statement: 300, says: 300, quote: 4_000 } as const;

/** Reads an answer that `comparisonForm` accepts. An entry in another form, or after the limit, is counted and left out. */
export function readPoints(value: unknown): { readonly points: readonly RawPoint[]; readonly unusable: number } {
  const { points: listed = [] } = isRecord(value) ? value : {};
  const entries: readonly unknown[] = Array.isArray(listed) ? listed : [];
  const points = entries.slice(0, maxPoints).flatMap((entry) => readPoint(entry) ?? []);
  return { points, unusable: entries.length - points.length };
}

const isKind = oneOf(...pointKinds);

function readPoint(entry: unknown): RawPoint | null {
  if (!isRecord(entry)) {
    return null;
  }
  const { kind, statement, rests_on: restsOn } = entry;
  if (!isKind(kind) || !isText(statement) || statement.trim() === '' || !Array.isArray(restsOn)) {
    return null;
  }
  return { kind, statement: cut(statement, 'statement'), positions: restsOn.flatMap((one) => readPosition(one) ?? []) };
}

function readPosition(entry: unknown): Position | null {
  if (!isRecord(entry)) {
    return null;
  }
  const { answer, says, quote } = entry;
  return isNumber(answer) && isText(says) && isText(quote)
    ? { answer, says: cut(says, 'says'), quote: cut(quote, 'quote') }
    : null;
}

function cut(value: string, limit: keyof typeof maxCharacters): string {
  const line = value.replace(/\s+/g, ' ').trim();
  return line.slice(0, characterEnd(line, 0, maxCharacters[limit]));
}
