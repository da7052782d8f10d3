import type { ModelUsage } from '@gemini-mcp/core';
import {
  keptBytes,
  maxStdoutBytes,
  shownMessageCharacters,
  shownStderrCharacters,
  shownToolDetailCharacters,
  shownToolNameCharacters,
} from '../../cli-limits.ts';
import type { ToldEvent } from '../../cli-transport.ts';
import type { CliOutcome } from '../../reading/cli-outcome.ts';
import { ModelCalls } from '../../reading/model-calls.ts';
import { showExcerpt } from '../../reading/show-excerpt.ts';
import { toolFailure } from '../../reading/tool-failure.ts';
import type { AcpProcessEnd } from '../process/acp-process.ts';
import type { AcpReply } from '../protocol/acp-connection.ts';
import { type AcpPromptEnd, type AcpUpdate, parseAcpPromptEnd } from '../protocol/acp-messages.ts';

export type PromptRecorderOptions = {
  readonly redact: (text: string) => string;
  readonly hasModelTools: boolean;
  readonly onEvents: (events: readonly ToldEvent[]) => void;
  /** The answer exceeds the size of any answer: all further output is dropped. */
  readonly onOverLimit: () => void;
};

export type PromptEnd = {
  readonly reply: AcpReply;
  readonly termination: CliOutcome['termination'];
  /** How the process ended, if it did. */
  readonly processEnd: AcpProcessEnd | null;
};

type ToolPhase = Extract<ToldEvent, { readonly type: 'tool' }>['phase'];

/** The id of a tool call begins with the name of its tool. */
const endOfToolName = '__';

/** A run with model tools has its own budgets: they refuse further calls, and the model may go on. */
const maxTools = { own: 1_000, modelTools: 100_000 };

/** Reads the updates of one prompt as events, and derives its outcome at the end. */
export class PromptRecorder {
  readonly #options: PromptRecorderOptions;
  /** Running tools: a refused one ends without a start. */
  readonly #begun = new Set<string>();
  #characters = 0;
  #answered = false;
  #sawEvents = false;
  #tools = 0;
  readonly #calls = new ModelCalls();

  constructor(options: PromptRecorderOptions) {
    this.#options = options;
  }

  /** Whether the run reported anything on which a reader of the events may have acted. */
  get sawEvents(): boolean {
    return this.#sawEvents;
  }

  /** How often the model continued after a tool. */
  get tools(): number {
    return this.#tools;
  }

  /** Input tokens of the last request; 0 if not reported. */
  get lastInputTokens(): number {
    return this.#calls.lastInputTokens;
  }

  read(update: AcpUpdate): void {
    if (this.#characters > maxStdoutBytes) {
      return;
    }
    const events = this.#eventsOf(update);
    if (events.length > 0) {
      this.#sawEvents = true;
      this.#options.onEvents(events);
    }
    const max = this.#options.hasModelTools ? maxTools.modelTools : maxTools.own;
    if (this.#characters > maxStdoutBytes || this.#tools > max) {
      this.#characters = Number.POSITIVE_INFINITY;
      this.#options.onOverLimit();
    }
  }

  /** The usage, if reported, and the outcome. */
  end({ reply, termination, processEnd }: PromptEnd): {
    readonly usage: readonly ModelUsage[];
    readonly outcome: CliOutcome;
  } {
    const ending = readPromptReply(reply, this.#answered);
    return { usage: this.#calls.usageOr(ending.usage), outcome: this.#outcome(ending, termination, processEnd) };
  }

  #outcome(
    { usage: _, messages, ...told }: PromptEnding,
    termination: PromptEnd['termination'],
    processEnd: AcpProcessEnd | null,
  ): CliOutcome {
    return {
      ...told,
      termination,
      exitCode: processEnd?.exitCode ?? null,
      signal: processEnd?.signal ?? null,
      sawEvents: this.#sawEvents || told.completion !== 'missing',
      answered: this.#answered,
      ...this.#calls.ending,
      messages: [...messages, ...faultOf(processEnd)].map((message) => this.#show(message, shownMessageCharacters)),
      // The output of the process may concern any caller; its message about memory concerns none.
      stderr: fatalLines(processEnd?.stderr ?? '').slice(0, shownStderrCharacters),
      strayOutput: '',
    };
  }

  #eventsOf(update: AcpUpdate): readonly ToldEvent[] {
    switch (update.kind) {
      case 'agent-message':
        return this.#readText(update.text);
      case 'model-call':
        this.#calls.add(update.call);
        return [];
      case 'tool-call':
        return this.#beginTool(update.toolCallId);
      case 'tool-call-update':
        return this.#readTool(update);
      default:
        return [];
    }
  }

  #readText(text: string): readonly ToldEvent[] {
    this.#characters += text.length;
    this.#answered ||= text.trim() !== '';
    return text === '' ? [] : [{ type: 'text', text }];
  }

  #beginTool(id: string): readonly ToldEvent[] {
    this.#begun.add(id);
    this.#tools += 1;
    return [toolEvent(id, 'started')];
  }

  #readTool({ toolCallId, status, text }: Extract<AcpUpdate, { kind: 'tool-call-update' }>): readonly ToldEvent[] {
    if (status !== 'completed' && status !== 'failed') {
      return [];
    }
    const before = this.#begun.has(toolCallId) ? [] : this.#beginTool(toolCallId);
    this.#begun.delete(toolCallId);
    if (status === 'completed') {
      return [...before, toolEvent(toolCallId, 'succeeded')];
    }
    const detail = this.#show(text, shownToolDetailCharacters);
    const failed = toolEvent(toolCallId, 'failed');
    return [...before, { ...failed, ...toolFailure(failed.name, detail) }];
  }

  #show(text: string, maxCharacters: number): string {
    const excerpt = { text: text.slice(0, keptBytes), part: 'beginning', isCut: text.length > keptBytes } as const;
    return showExcerpt(excerpt, { maxCharacters, redact: this.#options.redact });
  }
}

function toolEvent(id: string, phase: ToolPhase): Extract<ToldEvent, { readonly type: 'tool' }> {
  const [name = ''] = id.split(endOfToolName, 1);
  return { type: 'tool', name: name.slice(0, shownToolNameCharacters), phase };
}

function faultOf(end: AcpProcessEnd | null): readonly string[] {
  return end?.fault == null ? [] : [`The Gemini CLI ${end.fault}, and was ended.`];
}

/** Node's message when it runs out of memory. */
function fatalLines(stderr: string): string {
  return stderr
    .split('\n')
    .filter((line) => line.startsWith('FATAL ERROR: '))
    .join('\n');
}

/** How a prompt ended, by its reply. */
type PromptEnding = Pick<CliOutcome, 'completion' | 'ending' | 'httpStatus' | 'messages' | 'stopReason'> & {
  readonly usage: readonly ModelUsage[];
};

const nothingSaid: PromptEnding = {
  completion: 'missing',
  httpStatus: null,
  messages: [],
  usage: [],
};

/** Errors without a status of the API use this code too: a cut connection, an unknown model. */
const codeOfAll = 500;

/** Codes from here on are HTTP statuses; those of JSON-RPC are negative. */
const lowestStatus = 400;

/**
 * Parses the reply of Gemini CLI 0.61.0 to a prompt. `hasText` says whether an answer was streamed. `end_turn` also ends an empty or
 * blocked answer, and a stream without a finish reason; only missing token counts reveal these.
 */
export function readPromptReply(reply: AcpReply, hasText: boolean): PromptEnding {
  if (!reply.ok) {
    return reply.closed ? nothingSaid : readError(reply.code, reply.message);
  }
  const end = parseAcpPromptEnd(reply.result);
  return end === 'unreadable'
    ? { ...nothingSaid, completion: 'error', messages: ['The answer to a prompt could not be read.'] }
    : readEnd(end, hasText);
}

function readEnd({ stopReason, models }: AcpPromptEnd, hasText: boolean): PromptEnding {
  const ending = { ...nothingSaid, stopReason: stopReason.slice(0, 100), usage: models };
  if (stopReason !== 'end_turn') {
    return { ...ending, completion: 'error' };
  }
  return hasText && models.length === 0
    ? { ...ending, completion: 'success', ending: { type: 'unfinished' } }
    : { ...ending, completion: 'success' };
}

function readError(code: number, message: string): PromptEnding {
  const isOfNetwork = code === codeOfAll && !message.trimStart().startsWith('{');
  const httpStatus = code < lowestStatus || isOfNetwork ? null : code;
  return { ...nothingSaid, completion: 'error', httpStatus, messages: [message] };
}
