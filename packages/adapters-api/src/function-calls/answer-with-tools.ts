import {
  type AnsweredCall,
  type ModelTool,
  type ModelUsage,
  type RunEvent,
  type RunRequest,
  type ToolCall,
  ToolRouter,
} from '@gemini-mcp/core';
import { addUsage, toGeminiSchema } from '@gemini-mcp/core/internal';
import type { JsonObject } from '../json-object.ts';
import { Base64Data } from '../json-upload.ts';
import type { FunctionCall } from './function-call-reader.ts';

/** Stops a model that calls tools without end, if nothing else does. */
const maxRounds = 1_000;

/** More calls in one turn than a model makes on purpose. */
const maxCallsAtOnce = 128;

/** The turns after the message of a request, and the functions that the model may call. */
export type FunctionContext = { readonly declarations: readonly JsonObject[]; readonly turns: readonly JsonObject[] };

/** A finished turn of the model. */
export type ModelTurn = {
  readonly calls: readonly FunctionCall[];
  /** The turn in the form to send back. */
  readonly parts: readonly JsonObject[];
  /** Its remaining events: usage, search results, pages, and how it ended. */
  readonly end: () => readonly RunEvent[];
};

export type AnswerWithToolsOptions = {
  readonly request: RunRequest;
  /** Requests the next turn of the model and reports its text; returns null if that ended in a failure, which it reported. */
  readonly ask: (context: FunctionContext) => AsyncGenerator<RunEvent, ModelTurn | null>;
};

/** Lets the model call the tools of the run until it answers. */
export async function* answerWithTools(
  { request, ask }: AnswerWithToolsOptions,
  signal: AbortSignal,
): AsyncGenerator<RunEvent> {
  const { model, toolProviders = [], deadlineAtMs } = request;
  const router = await ToolRouter.from(toolProviders, signal);
  const declarations = declareFunctions(router.tools);
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
    const answered = await router.carryOut(
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

function withUsage(end: readonly RunEvent[], models: readonly ModelUsage[]): readonly RunEvent[] {
  const others = end.filter(({ type }) => type !== 'usage');
  return models.length === 0 ? others : [{ type: 'usage', models }, ...others];
}

function toolEvent(name: string, phase: 'started' | 'succeeded' | 'failed'): RunEvent {
  return { type: 'tool', name, phase };
}

/** The tools of a run in the API's form (`tools`): it rejects an empty list of functions. */
function declareFunctions(tools: readonly ModelTool[]): readonly JsonObject[] {
  const functionDeclarations = tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    parametersJsonSchema: toGeminiSchema(inputSchema),
  }));
  return functionDeclarations.length === 0 ? [] : [{ functionDeclarations }];
}

/** The placeholder from Google's page on thought signatures for a call without one, which its Gemini CLI (0.61.0) sends too. */
const noSignature = 'skip_thought_signature_validator';

/** The models before Gemini 3 do not check signatures. An alias such as `gemini-pro-latest` stands for a newer one. */
const uncheckedModels = /^(?:gemini-[12](?!\d)|gemma-)/;

type AnsweredTurn = {
  readonly parts: readonly JsonObject[];
  readonly answered: readonly AnsweredCall<FunctionCall & ToolCall>[];
};

/** A turn of the model with its calls, and the turn with their results, as `contents`. */
function functionTurns({ parts, answered }: AnsweredTurn, model: string): readonly JsonObject[] {
  const responses = answered.map(({ call: { id, name }, result: { text, isDone } }) => ({
    functionResponse: { ...(id !== undefined && { id }), name, response: isDone ? { output: text } : { error: text } },
  }));
  const media = answered
    .flatMap(({ result }) => result.media ?? [])
    .map(({ mediaType, bytes }) => ({
      inlineData: { mimeType: mediaType, data: new Base64Data(bytes) },
    }));
  return [
    { role: 'model', parts: uncheckedModels.test(model) ? parts : withSignature(parts) },
    { role: 'user', parts: [...responses, ...media] },
  ];
}

/** Of simultaneous calls, only the first needs one. */
function withSignature(parts: readonly JsonObject[]): readonly JsonObject[] {
  const first = parts.findIndex(({ functionCall }) => functionCall !== undefined);
  return parts.map((part, index) => (index === first ? { thoughtSignature: noSignature, ...part } : part));
}
