import type { Clock } from '@gemini-mcp/core';
import type { ToolOutcome, ToolProgress } from '@gemini-mcp/mcp';
import type { RestCall } from './answer-with-json.ts';
import { problemBody, respondWith } from './answer-with-json.ts';
import type { Problem, ProblemBody, StreamEvent } from './call-schemas.ts';
import { presentAccount, presentCall, presentProblem, wholeAnswer } from './present-problem.ts';

export type AnswerWithEventsOptions = {
  readonly clock: Clock;
  readonly maxUnsentCharacters?: number;
};

/** How long a call without an event may take to fail with its own status. After that, the headers leave. */
const silentStartMs = 100;

const headers = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache, no-store',
  'X-Accel-Buffering': 'no',
} as const;

const tooSlow: Problem = {
  code: 'reader-too-slow',
  message: 'The answer arrived faster than it was read, and was dropped. Read the stream at once, or request JSON.',
};

/**
 * Answers a call with events while it runs. A call that fails before its first event is answered with JSON and the status of
 * its failure; after that, the status has left.
 */
export async function answerWithEvents(
  { context, run }: RestCall,
  { clock, ...bounds }: AnswerWithEventsOptions,
): Promise<Response> {
  const stream = new EventStream({ clock, cut: () => context.env.outgoing.destroy(), ...bounds });
  const started = new AbortController();
  const feed = new AnswerFeed((event) => {
    started.abort();
    stream.send(event);
  });
  const ending = run({
    signal: AbortSignal.any([context.req.raw.signal, stream.lost]),
    progress: (progress) => feed.tell(progress),
  });
  const ended = await Promise.race([ending, silence(clock, started.signal)]);
  if (ended !== null && presentCall(ended) === null) {
    await stream.body.cancel();
    return respondWith(context, ended);
  }
  void ending.then((outcome) => stream.end(lastEvents(outcome)));
  return context.body(stream.body, 200, headers);

  function lastEvents(outcome: ToolOutcome): readonly StreamEvent[] {
    if (stream.isOverrun) {
      return failedEnding(problemBody(context, tooSlow));
    }
    return presentCall(outcome) === null
      ? failedEnding(problemBody(context, presentProblem(outcome).problem))
      : feed.ending(outcome);
  }
}

/** Resolves at the first event, or after a long silence. */
function silence(clock: Clock, told: AbortSignal): Promise<null> {
  return clock.sleep(silentStartMs, told).then(
    () => null,
    () => null,
  );
}

type EventStreamOptions = {
  readonly clock: Clock;
  /** Destroys the connection. Called if a reader does not read the end of a stream. */
  readonly cut: () => void;
  /** In UTF-16 code units of unsent text. Default: 1 Mi. */
  readonly maxUnsentCharacters?: number;
};

/** Proxies and clients give up on a connection that is silent for 30 s or 60 s. */
const keepAliveMs = 15_000;

/** Enough to read a pending megabyte over a slow line. */
const lastReadMs = 30_000;

/**
 * Events for one reader. Events leave at once, as far as the reader takes them; the rest is kept up to a bound, beyond which
 * the reader is lost. Keeps a timer until it has ended or its reader has disconnected.
 */
export class EventStream {
  /** For the response. Its cancellation means that the reader has disconnected. */
  readonly body: ReadableStream<Uint8Array>;
  readonly #options: Required<EventStreamOptions>;
  readonly #encoder = new TextEncoder();
  readonly #lost = new AbortController();
  /** Aborted when no more events will come. */
  readonly #ended = new AbortController();
  /** Aborted when the reader has everything, or has disconnected. */
  readonly #done = new AbortController();
  #unsent = '';
  #isOverrun = false;
  #wake: () => void = () => undefined;

  constructor(options: EventStreamOptions) {
    this.#options = { maxUnsentCharacters: 1_048_576, ...options };
    const source = {
      pull: (controller: ReadableStreamDefaultController<Uint8Array>) => this.#pull(controller),
      cancel: () => this.#leave(),
    };
    // Nothing is taken before it is requested, so the unsent part is known exactly.
    this.body = new ReadableStream(source, { highWaterMark: 0 });
    void this.#keepAlive();
  }

  /** Aborted if the client does not read, or not fast enough: the sender may stop. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Whether more was sent than the reader took. */
  get isOverrun(): boolean {
    return this.#isOverrun;
  }

  /** Never throws, never waits. Events for a lost reader are dropped. */
  send(event: StreamEvent): void {
    if (this.#lost.signal.aborted || this.#ended.signal.aborted) {
      return;
    }
    if (this.#unsent.length > this.#options.maxUnsentCharacters) {
      this.#isOverrun = true;
      this.#lost.abort();
      return;
    }
    this.#write(frameOf(event));
  }

  /** Sends the last events after the unsent ones, and closes the stream. */
  end(events: readonly StreamEvent[]): void {
    this.#ended.abort();
    this.#write(events.map(frameOf).join(''));
    void this.#cutWhenLeft();
  }

  #write(text: string): void {
    this.#unsent += text;
    this.#wake();
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    if (this.#unsent === '' && !this.#ended.signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#done.signal.aborted) {
      return;
    }
    if (this.#unsent !== '') {
      controller.enqueue(this.#encoder.encode(this.#unsent));
      this.#unsent = '';
      return;
    }
    controller.close();
    this.#done.abort();
  }

  #leave(): void {
    this.#lost.abort();
    this.#ended.abort();
    this.#done.abort();
    this.#unsent = '';
    this.#wake();
  }

  async #keepAlive(): Promise<void> {
    while (await this.#sleep(keepAliveMs, this.#ended.signal)) {
      if (this.#unsent === '') {
        this.#write(': keep-alive\n\n');
      }
    }
  }

  async #cutWhenLeft(): Promise<void> {
    if (await this.#sleep(lastReadMs, this.#done.signal)) {
      this.#options.cut();
    }
  }

  /** Resolves to whether the time has passed without an abort. */
  #sleep(durationMs: number, signal: AbortSignal): Promise<boolean> {
    return this.#options.clock.sleep(durationMs, signal).then(
      () => !signal.aborted,
      () => false,
    );
  }
}

/** JSON has no line ends of its own, so one line carries it. */
function frameOf(event: StreamEvent): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}

/**
 * Turns the reports of a call into events. The pieces after the last restart are exactly the answer, once the call has
 * succeeded.
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

  /** The events that end a successful call. */
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

  /** The rest of an answer whose pieces have been sent, if any. */
  #rest(answer: string): readonly StreamEvent[] {
    if (answer.startsWith(this.#pieces)) {
      const content = answer.slice(this.#pieces.length);
      return content === '' ? [] : [{ type: 'stdout', content }];
    }
    return [
      { type: 'restart', content: 'The answer in the requested form' },
      { type: 'stdout', content: answer },
    ];
  }
}

/** The events that end a failed call. */
function failedEnding({ error }: ProblemBody): readonly StreamEvent[] {
  return [
    { type: 'error', content: error.message, error },
    { type: 'close', content: 'Process exited with code 1' },
  ];
}
