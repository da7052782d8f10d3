import type { ToolOutcome, ToolProgress } from '@gemini-mcp/mcp';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AnswerFeed } from './answer-with-events.ts';
import type { StreamEvent } from './call-schemas.ts';
import { joinPieces, readEvents } from './testing/read-events.ts';

function outcomeOf(text: string): ToolOutcome {
  const answer = { text, model: 'gemini-x', attempts: [], usage: [], context: null };
  return { answer: text, text: '', isError: false, detail: { type: 'answer', answer, account: '' } };
}

/** The bytes that a reader gets over the wire. */
function feed(news: readonly ToolProgress[], outcome: ToolOutcome) {
  const sent: StreamEvent[] = [];
  const answerFeed = new AnswerFeed((event) => sent.push(event));
  for (const progress of news) {
    answerFeed.tell(progress);
  }
  sent.push(...answerFeed.ending(outcome));
  return readEvents(sent.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
}

const text = fc.string({ unit: 'binary' });
const piece = fc.record({ type: fc.constant('text' as const), text });
const status = fc.record(
  { type: fc.constant('status' as const), message: text, isNotable: fc.boolean(), startsOver: fc.boolean() },
  { requiredKeys: ['type', 'message'] },
);

describe('AnswerFeed', () => {
  it('repeats the answer exactly, whatever came before it', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, status)), text, (news, answer) => {
        expect(joinPieces(feed(news, outcomeOf(answer)))).toBe(answer);
      }),
    );
  });

  it('sends nothing twice if the pieces were the answer, however it was cut', () => {
    fc.assert(
      fc.property(text, fc.nat(), (answer, at) => {
        const cut = answer.length === 0 ? 0 : at % answer.length;
        const pieces = [answer.slice(0, cut), answer.slice(cut)].map((part) => ({ type: 'text', text: part }) as const);
        const events = feed(pieces, outcomeOf(answer));
        expect(events.map(({ type }) => type)).toEqual(['stdout', 'stdout', 'stderr', 'close']);
        expect(joinPieces(events)).toBe(answer);
      }),
    );
  });
});
