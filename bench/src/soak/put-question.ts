import { randomUUID } from 'node:crypto';
import type { RunEvent, RunRequest } from '@gemini-mcp/core';
import type { SoakPhase } from './soak-phase.ts';

/** The outcome of a call: `answered`, the name of a failure, or something that must never happen. */
export type Ending = { readonly name: string; readonly isWrong: boolean };

/** One call in this many continues a conversation, and may be continued. */
const conversationEvery = 10;

/** A call this long after its deadline counts as lost. */
const graceMs = 15_000;

/** Asks a question that no other call asks, and checks that the answer belongs to it. Never rejects. */
export async function putQuestion(phase: SoakPhase, index: number): Promise<Ending> {
  const question = `question ${index} of ${randomUUID()}`;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Ending>((resolve) => {
    timer = setTimeout(() => resolve(wrong('a call that does not end')), phase.timeoutMs + graceMs);
  });
  try {
    return await Promise.race([judge(phase, index, question), late]);
  } catch (error) {
    return wrong(`an exception: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    clearTimeout(timer);
  }
}

async function judge(phase: SoakPhase, index: number, question: string): Promise<Ending> {
  const expected = phase.answerTo(question);
  const events = await collect(phase.runner.run(requestFor(phase, index, question), new AbortController().signal));
  const said = events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('');
  const ends = events.filter((event) => event.type === 'answer' || event.type === 'failure');
  const [end] = ends;
  if (end === undefined || ends.length > 1) {
    return wrong('a call without its one end');
  }
  if (end.type === 'answer') {
    return said === expected ? { name: 'answered', isWrong: false } : wrong('an answer to something else');
  }
  return expected.startsWith(said) ? { name: end.failure.kind, isWrong: false } : wrong('a piece of a strange answer');
}

function requestFor({ timeoutMs }: SoakPhase, index: number, input: string): RunRequest {
  const request = { model: 'gemini-3.1-pro-preview', input, deadlineAtMs: Date.now() + timeoutMs };
  if (index % conversationEvery !== 0) {
    return request;
  }
  const history = [
    { role: 'user', text: `an earlier message before ${input}` },
    { role: 'model', text: 'an earlier answer' },
  ] as const;
  return { ...request, history, mayContinue: true };
}

async function collect(events: AsyncIterable<RunEvent>): Promise<readonly RunEvent[]> {
  const all: RunEvent[] = [];
  for await (const event of events) {
    all.push(event);
  }
  return all;
}

function wrong(name: string): Ending {
  return { name, isWrong: true };
}
