import type { ToolOutcome, ToolProgress } from '@gemini-mcp/mcp';
import type { ProblemBody, StreamEvent } from './call-body.ts';
import { presentAccount, wholeAnswer } from './present-call.ts';

/**
 * Turns the news of a call into events. The pieces after the last restart are, once the call has ended well, the answer to the
 * letter.
 */
export class AnswerFeed {
  readonly #send: (event: StreamEvent) => void;
  #pieces = '';

  constructor(send: (event: StreamEvent) => void) {
    this.#send = send;
  }

  tell(progress: ToolProgress): void {
    if (progress.type === 'text') {
      this.#pieces += progress.text;
      this.#send({ type: 'stdout', content: progress.text });
      return;
    }
    const { message, startsOver = false, isNotable = false } = progress;
    if (startsOver && this.#pieces !== '') {
      this.#pieces = '';
      this.#send({ type: 'restart', content: message });
    } else if (isNotable) {
      this.#send({ type: 'stderr', content: message });
    }
  }

  /** The events that end a call which gave what was asked for. */
  ending({ answer = '', text, detail, blocks = [] }: ToolOutcome): readonly StreamEvent[] {
    const close: StreamEvent = { type: 'close', content: 'Process exited with code 0' };
    const ofBlocks = blocks.map((block) => ({ type: 'block', content: '', block }) as const);
    if (detail?.type !== 'answer') {
      const told: readonly StreamEvent[] = answer === '' || text === '' ? [] : [{ type: 'stderr', content: text }];
      return [...this.#rest(answer === '' ? text : answer), ...told, ...ofBlocks, close];
    }
    const account = {
      type: 'stderr',
      content: detail.account,
      account: presentAccount(detail),
    } as const;
    return [...this.#rest(wholeAnswer(detail)), ...ofBlocks, account, close];
  }

  /** What is missing of an answer whose pieces have been sent, if anything is. */
  #rest(answer: string): readonly StreamEvent[] {
    if (answer.startsWith(this.#pieces)) {
      const content = answer.slice(this.#pieces.length);
      return content === '' ? [] : [{ type: 'stdout', content }];
    }
    return [
      { type: 'restart', content: 'The answer in the form that was asked for' },
      { type: 'stdout', content: answer },
    ];
  }
}

/** The events that end a call which failed. */
export function failedEnding({ error }: ProblemBody): readonly StreamEvent[] {
  return [
    { type: 'error', content: error.message, error },
    { type: 'close', content: 'Process exited with code 1' },
  ];
}
