import { LentTools, type ModelUsage, type RunEvent, type RunRequest } from '@gemini-mcp/core';
import { addUsage } from '@gemini-mcp/core/internal';
import type { JsonObject } from '../json-object.ts';
import type { FunctionCall } from './function-call-reader.ts';
import { declareFunctions, functionTurns } from './function-turns.ts';

/** What ends a model that calls tools without end, where nothing else does. */
const maxRounds = 1_000;

/** More calls in one turn than a model makes on purpose. */
const maxCallsAtOnce = 128;

/** What follows the message of a request, and the functions that the model is offered. */
export type FunctionContext = { readonly declarations: readonly JsonObject[]; readonly turns: readonly JsonObject[] };

/** A turn of the model that has come to its end. */
export type ModelTurn = {
  readonly calls: readonly FunctionCall[];
  /** The turn as it has to be sent back. */
  readonly parts: readonly JsonObject[];
  /** What remains to be said of it: what it used, found and read, and how it ended. */
  readonly end: () => readonly RunEvent[];
};

export type AnswerWithToolsOptions = {
  readonly request: RunRequest;
  /** Asks for the next turn of the model and tells of its text; returns null where that ended in a failure, which was told. */
  readonly ask: (context: FunctionContext | null) => AsyncGenerator<RunEvent, ModelTurn | null>;
};

/** Lets the model answer, and call the tools that the run lends until it does. */
export async function* answerWithTools(
  { request, ask }: AnswerWithToolsOptions,
  signal: AbortSignal,
): AsyncGenerator<RunEvent> {
  const { model, toolSources = [], deadlineAtMs } = request;
  if (toolSources.length === 0) {
    yield* (yield* ask(null))?.end() ?? [];
    return;
  }
  const lent = await LentTools.from(toolSources, signal);
  const declarations = declareFunctions(lent.tools);
  const turns: JsonObject[] = [];
  let usage: readonly ModelUsage[] = [];
  for (let round = 0; round < maxRounds; round += 1) {
    const turn = yield* ask({ declarations, turns });
    if (turn === null) {
      return;
    }
    const end = turn.end();
    usage = addUsage([...usage, ...end.flatMap((event) => (event.type === 'usage' ? event.models : []))]);
    const { calls, parts } = turn;
    if (calls.length === 0) {
      yield* withUsage(end, usage);
      return;
    }
    if (calls.length > maxCallsAtOnce) {
      yield* withUsage([tooManyCalls], usage);
      return;
    }
    yield* calls.map(({ name }) => toolEvent(name, 'started'));
    const answered = await lent.carryOut(
      calls.map((call) => ({ ...call, deadlineAtMs })),
      signal,
    );
    signal.throwIfAborted();
    yield* answered.map(({ call, result }) => toolEvent(call.name, result.isDone ? 'succeeded' : 'failed'));
    turns.push(...functionTurns({ parts, answered }, model));
  }
  yield* withUsage([{ type: 'failure', failure: { kind: 'turn-limit', excerpt: '' } }], usage);
}

const tooManyCalls: RunEvent = {
  type: 'failure',
  failure: { kind: 'malformed-output', excerpt: `The model made more than ${maxCallsAtOnce} calls at once.` },
};

/** The end of a run with what all of its requests used. */
function withUsage(end: readonly RunEvent[], models: readonly ModelUsage[]): readonly RunEvent[] {
  const others = end.filter(({ type }) => type !== 'usage');
  return models.length === 0 ? others : [{ type: 'usage', models }, ...others];
}

function toolEvent(name: string, phase: 'started' | 'succeeded' | 'failed'): RunEvent {
  return { type: 'tool', name, phase };
}
