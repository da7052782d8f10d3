import type { Clock } from '@gemini-mcp/core';
import { maxResultBytes, utf8Length } from '@gemini-mcp/core/internal';
import type { ContentBlock } from '../content/content-block.ts';
import { makeBlocksSafe } from '../content/make-blocks-safe.ts';
import { layoutFor, type ResultLayout } from '../content/result-layout.ts';
import { type CheckedArguments, checkArguments } from '../input/check-arguments.ts';
import { describeInvalidArguments } from '../input/describe-invalid-arguments.ts';
import { describeReadings, repairArguments } from '../input/repair-arguments.ts';
import type { JsonObject, ToolInput } from '../input/tool-input.ts';
import { CallQuestions, type Elicitor } from '../questions/call-questions.ts';
import type { Tool, ToolContext, ToolOutcome } from '../surface/tool.ts';
import { type CallLimit, PatienceWatch } from './call-limits.ts';
import { concealError } from './conceal-error.ts';
import type { McpLog } from './mcp-log.ts';
import { ProgressReporter } from './progress-reporter.ts';
import type { IncomingCall } from './tool-handlers.ts';

/** A call with checked arguments. */
export type PreparedCall =
  | {
      readonly isAccepted: true;
      /** Never rejects: an exception of the tool becomes an error outcome, and only the log gets it. */
      readonly run: (context: ToolContext) => Promise<ToolOutcome>;
    }
  | { readonly isAccepted: false; readonly refusal: ToolOutcome };

/**
 * Checks the arguments of a call by the tool's schema, as meant if they are refused as written, and runs nothing yet. Never
 * rejects.
 */
export async function prepareCall(tool: Tool, args: unknown, log: McpLog): Promise<PreparedCall> {
  try {
    const { checked, given, readings } = await readArguments(tool.input, args);
    if (!checked.isAccepted) {
      const text = describeInvalidArguments(tool.name, { ...checked, args: given });
      return { isAccepted: false, refusal: withReadings(refuseArguments(text), readings) };
    }
    const run = async (context: ToolContext): Promise<ToolOutcome> => {
      const origin = { tool: tool.name, clientName: context.clientName };
      // The call may have been cancelled during the check: a tool's listener hears only a later cancel.
      if (context.signal.aborted) {
        return cancelledOutcome;
      }
      try {
        return withReadings(
          await makeOutcomeSafe(tool, await tool.run(checked.args, { ...context, origin })),
          readings,
        );
      } catch (error) {
        return context.signal.aborted ? cancelledOutcome : internalError(tool, error, log);
      }
    };
    return { isAccepted: true, run };
  } catch (error) {
    return { isAccepted: false, refusal: internalError(tool, error, log) };
  }
}

type ReadCall = {
  readonly checked: CheckedArguments;
  /** The arguments that were checked last. */
  readonly given: unknown;
  readonly readings: readonly string[];
};

async function readArguments(input: ToolInput, args: unknown): Promise<ReadCall> {
  const checked = await checkArguments(input, args);
  if (checked.isAccepted) {
    return { checked, given: args, readings: [] };
  }
  const repaired = repairArguments(input, args);
  return { checked: await checkArguments(input, repaired.args), given: repaired.args, readings: repaired.readings };
}

/** In this server's namespace, as the protocol requires for names in `_meta`. */
const readingsKey = 'gemini-mcp-server/arguments';

/** Adds to our own text how the arguments were read. Text for a program stays alone. */
function withReadings(outcome: ToolOutcome, readings: readonly string[]): ToolOutcome {
  if (readings.length === 0) {
    return outcome;
  }
  const { answer, text, meta, detail } = outcome;
  const line = describeReadings(readings);
  const isAlone = answer !== undefined && text === '';
  return {
    ...outcome,
    text: isAlone ? '' : addLine(text, line),
    meta: { ...meta, [readingsKey]: readings },
    ...(detail?.type === 'answer' && { detail: { ...detail, account: addLine(detail.account, line) } }),
  };
}

function addLine(text: string, line: string): string {
  return text === '' ? line : `${text}\n${line}`;
}

/**
 * Runs one call of a tool. Refused arguments and any exception become an error outcome; only the log gets the
 * exception.
 */
export async function runTool(tool: Tool, args: unknown, context: ToolContext, log: McpLog): Promise<ToolOutcome> {
  const call = await prepareCall(tool, args, log);
  return call.isAccepted ? call.run(context) : call.refusal;
}

function refuseArguments(text: string): ToolOutcome {
  return { text, isError: true, detail: { type: 'refused', reason: 'invalid-arguments' } };
}

function internalError({ name }: Tool, error: unknown, log: McpLog): ToolOutcome {
  const text = concealError({ event: 'tool-threw', subject: name, error }, log);
  return { text, isError: true, detail: { type: 'refused', reason: 'internal-error' } };
}

type OutputRules = Pick<Tool, 'output' | 'structuresFreely' | 'uriSchemes'>;

/**
 * An outcome ready for the client: its blocks made safe, its structured content checked against the tool's declared schema. Rejects
 * if a tool breaks its own schema, which is a bug of the tool.
 */
async function makeOutcomeSafe(tool: OutputRules, outcome: ToolOutcome): Promise<ToolOutcome> {
  if (tool.output === undefined && outcome.blocks === undefined && outcome.structured === undefined) {
    return outcome;
  }
  const structured = outcome.isError ? undefined : await checkStructured(tool, outcome);
  const { blocks, structured: _, ...rest } = outcome;
  const saysAll = tool.structuresFreely === true && blocks !== undefined && blocks.length > 0;
  const text = rest.text === '' && structured !== undefined && !saysAll ? JSON.stringify(structured) : rest.text;
  return {
    ...rest,
    text,
    ...(blocks !== undefined && {
      blocks: makeBlocksSafe(blocks, { textBefore: text, uriSchemes: tool.uriSchemes ?? [] }),
    }),
    ...(structured !== undefined && { structured }),
  };
}

async function checkStructured(
  { output, structuresFreely = false }: OutputRules,
  { structured }: ToolOutcome,
): Promise<ToolOutcome['structured']> {
  if (output === undefined) {
    if (structured !== undefined && !structuresFreely) {
      throw new Error('The tool has structured content without a schema: it declares no output');
    }
    return structured === undefined ? undefined : withinBounds(structured);
  }
  const checked = await checkArguments(output, structured);
  if (!checked.isAccepted) {
    const places = checked.problems.map(({ path, type }) => `${path.join('.')}: ${type}`);
    throw new Error(`The structured content does not match the tool's declared output: ${places.join(', ')}`);
  }
  return withinBounds(checked.args);
}

function withinBounds(structured: JsonObject): JsonObject {
  if (utf8Length(JSON.stringify(structured)) > maxResultBytes) {
    throw new Error(`The structured content is longer than ${maxResultBytes} bytes`);
  }
  return structured;
}

/** The outcome of a cancelled call. */
const cancelledOutcome: ToolOutcome = {
  text: 'The call was cancelled.',
  isError: true,
  detail: { type: 'refused', reason: 'cancelled' },
};

/** The result of a call in MCP's form. */
export type CallResult = {
  readonly content: readonly ContentBlock[];
  readonly isError?: boolean;
  readonly structuredContent?: JsonObject;
  readonly _meta?: JsonObject;
};

type CallToRun = Omit<IncomingCall, 'name' | 'statedLimitMs'> & {
  readonly clock: Clock;
  readonly log: McpLog;
  /** The client waits for as long as the call takes if missing. */
  readonly limit?: CallLimit;
};

/** Runs a call of a tool, with its progress and its questions. Every failure is an error result. */
export async function runCall(
  tool: Tool,
  { args, from, notify, elicitor, clock, log, limit, asTask }: CallToRun,
): Promise<CallResult | JsonObject> {
  if (from.signal.aborted) {
    return presentOutcome(cancelledOutcome);
  }
  const reporter = notify === null ? null : new ProgressReporter({ clock, send: notify });
  const { signal } = from;
  let step = 'Working';
  const say = (message: string): void => reporter?.report({ type: 'status', message });
  const onAsk = (): void => say('Waiting for an answer to a question');
  const waiting = limit === undefined ? null : new PatienceWatch(limit, clock, signal);
  const questions = new CallQuestions(
    { clock, elicitor: withSuspension(elicitor, waiting), onAsk, onAnswer: () => say(step) },
    signal,
  );
  const stop = (): void => reporter?.stop();
  signal.addEventListener('abort', stop, { once: true });
  const progress: ToolContext['progress'] = (news) => {
    step = news.type === 'status' ? news.message : step;
    reporter?.report(news);
  };
  const context: ToolContext = { ...from, progress, ask: questions.ask, patience: waiting?.patience };
  let task: JsonObject | null = null;
  try {
    const outcome = await runTool(tool, args, context, log);
    task = await presentTask(outcome, asTask);
    return task ?? presentOutcome(outcome, layoutFor(from.clientName));
  } finally {
    signal.removeEventListener('abort', stop);
    if (task === null) {
      questions.end();
    } else {
      // Its client is asked through the task.
      signal.addEventListener('abort', () => questions.end(), { once: true });
    }
    waiting?.end();
    stop();
  }
}

/** Null if the call does not go on as a job, or its client does not take it as a task. */
async function presentTask({ detail }: ToolOutcome, asTask: IncomingCall['asTask']): Promise<JsonObject | null> {
  return asTask !== undefined && detail?.type === 'job' && detail.goesOn === true ? asTask(detail.job) : null;
}

/** The result that a call would have returned whose work went on as a job. Rejects if its content breaks the rules for tools, which is a bug. */
export async function presentJobResult(outcome: ToolOutcome): Promise<CallResult> {
  return presentOutcome(await makeOutcomeSafe({ structuresFreely: true }, outcome));
}

/** The patience of the client does not run while a question has ended its request. */
function withSuspension(elicitor: Elicitor, waiting: PatienceWatch | null): Elicitor {
  return waiting === null || elicitor.suspendsCall !== true
    ? elicitor
    : { ...elicitor, elicit: (form, signal) => waiting.suspendFor(() => elicitor.elicit(form, signal)) };
}

/**
 * Converts an outcome to a call result: a note if the client needs it first, one block with Gemini's text, one with our own, then the
 * others. Always at least one block.
 */
function presentOutcome(
  outcome: ToolOutcome,
  { hasMeta = true, joinsBlocks = false }: Partial<ResultLayout> = {},
): CallResult {
  const { note, answer, text, isError, blocks = [], structured, meta } = outcome;
  const gap = joinsBlocks && answer !== undefined ? '\n\n' : '';
  const said: readonly ContentBlock[] = [
    ...(note === undefined ? [] : [{ type: 'text', text: note + gap } as const]),
    ...(answer === undefined ? [] : [{ type: 'text', text: answer } as const]),
    ...(text === '' ? [] : [{ type: 'text', text: gap + text } as const]),
    ...blocks,
  ];
  const content: readonly ContentBlock[] = said.length === 0 ? [{ type: 'text', text }] : said;
  return {
    content,
    ...(isError && { isError: true }),
    ...(structured !== undefined && { structuredContent: structured }),
    ...(meta !== undefined && hasMeta && { _meta: meta }),
  };
}
