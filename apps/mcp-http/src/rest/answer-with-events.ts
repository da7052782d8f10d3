import type { Clock } from '@gemini-mcp/core';
import type { ToolOutcome } from '@gemini-mcp/mcp';
import { AnswerFeed, failedEnding } from './answer-feed.ts';
import { problemBody, respondWith } from './answer-with-json.ts';
import type { Problem, StreamEvent } from './call-body.ts';
import { EventStream } from './event-stream.ts';
import { presentCall } from './present-call.ts';
import { presentProblem } from './present-problem.ts';
import type { RestCall } from './rest-call.ts';

export type AnswerWithEventsOptions = {
  readonly clock: Clock;
  readonly maxUnsentCharacters?: number;
};

/** How long a call without an event may take to fail with a status of its own. Beyond it, the headers leave. */
const silentStartMs = 100;

const headers = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache, no-store',
  'X-Accel-Buffering': 'no',
} as const;

const tooSlow: Problem = {
  code: 'reader-too-slow',
  message: 'The answer came faster than it was read, and was given up. Read the stream at once, or ask for JSON.',
};

/**
 * Answers a call with events while it runs. One that fails before its first event is answered with JSON and the status of
 * its failure: afterwards the status has left.
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

/** Resolves at the first event, or if none came for too long. */
function silence(clock: Clock, told: AbortSignal): Promise<null> {
  return clock.sleep(silentStartMs, told).then(
    () => null,
    () => null,
  );
}
