import * as z from 'zod';
import type { ProcessEnd } from '../../processes/contained-process.ts';
import { LineSplitter } from '../../processes/output/line-splitter.ts';
import { PacedChunks } from '../../processes/output/paced-chunks.ts';
import { TailBuffer } from '../../processes/output/tail-buffer.ts';
import {
  keptBytes,
  maxEventBytes,
  maxMessages,
  maxStderrBytes,
  maxStdoutBytes,
  maxStrayBytes,
  maxToolRunStdoutBytes,
  minEventBytes,
  shownMessageCharacters,
  shownStderrCharacters,
  shownStrayCharacters,
  shownToolDetailCharacters,
  shownToolNameCharacters,
} from '../cli-limits.ts';
import type { ToldEvent } from '../cli-transport.ts';
import { type ModelCall, modelCallKind, modelCallShape } from '../inside-the-cli/model-call.ts';
import type { CliOutcome } from '../reading/cli-outcome.ts';
import { ModelCalls } from '../reading/model-calls.ts';
import { showExcerpt } from '../reading/show-excerpt.ts';
import { toolFailure } from '../reading/tool-failure.ts';

export type RunRecorderOptions = {
  /** The CLI repeats its input on stdout, in JSON at most six bytes a byte; that much does not count against the limit. */
  readonly inputBytes: number;
  readonly redact: (text: string) => string;
  /** Whether the run offers tools, whose results the CLI repeats on stdout as well. */
  readonly hasModelTools: boolean;
  /** Called before the CLI sends anything to the model. */
  readonly onInit: () => void;
  readonly onEvents: (events: readonly ToldEvent[]) => void;
  /** Called once, when the output exceeds the size of any answer. The recorder reads nothing from then on. */
  readonly onOverLimit: () => void;
  /** Called when the stream has reported a complete answer: nothing that the run still does adds to it. */
  readonly onAnswered: () => void;
};

/** Reads the output of a CLI run event by event, and derives its outcome at the end. Never throws, whatever the output. */
export class RunRecorder {
  readonly #options: RunRecorderOptions;
  readonly #lines = new LineSplitter({ maxLineBytes: maxEventBytes, isUnwanted: isEchoOfInput });
  readonly #stdout = new PacedChunks((piece) => this.#readLines(this.#lines.push(piece)));
  readonly #stderr = new TailBuffer(keptBytes);
  readonly #toolNames = new Map<string, string>();
  #messages: readonly string[] = [];
  #stdoutBytes = 0;
  /** Bytes of the lines read so far, without tool results. */
  #saidBytes = 0;
  #completion: CliOutcome['completion'] = 'missing';
  #sawEvents = false;
  #answered = false;
  readonly #calls = new ModelCalls();
  #strayOutput = '';
  #strayBytes = 0;
  #isOverLimit = false;

  constructor(options: RunRecorderOptions) {
    this.#options = options;
  }

  readStdout(chunk: Buffer): void {
    this.#stdoutBytes += chunk.length;
    this.#checkLimit();
    if (!this.#isOverLimit) {
      this.#stdout.push(chunk);
    }
  }

  readStderr(chunk: Buffer): void {
    this.#stderr.push(chunk);
    this.#checkLimit();
  }

  /** Reads the rest once the streams have ended. */
  async readRest(): Promise<void> {
    await this.#stdout.whenRead();
    if (!this.#isOverLimit) {
      this.#readLines(this.#lines.end());
    }
  }

  outcome(end: ProcessEnd, termination: CliOutcome['termination']): CliOutcome {
    const stderr = { text: this.#stderr.text(), part: 'end', isCut: this.#stderr.isCut } as const;
    return {
      termination,
      // A run that was stopped after its answer: its ending says nothing about the answer.
      exitCode: this.#hasWholeAnswer ? null : end.exitCode,
      signal: this.#hasWholeAnswer ? null : end.signal,
      completion: this.#completion,
      sawEvents: this.#sawEvents,
      answered: this.#answered,
      ...this.#calls.ending,
      httpStatus: this.#completion === 'success' ? null : httpStatusOfExitCode(end.exitCode),
      messages: this.#messages.map((message) => this.#showBeginning(message, shownMessageCharacters)),
      stderr: showExcerpt(stderr, { maxCharacters: shownStderrCharacters, redact: this.#options.redact }),
      strayOutput: this.#showBeginning(this.#strayOutput, shownStrayCharacters),
    };
  }

  /** Over the limit, drops pending input: a process that is slow to die must not fill the memory meanwhile. */
  #checkLimit(): void {
    const { hasModelTools, inputBytes } = this.#options;
    const isOver =
      this.#stdoutBytes > (hasModelTools ? maxToolRunStdoutBytes : maxStdoutBytes) + 6 * inputBytes ||
      this.#saidBytes > maxStdoutBytes + 6 * inputBytes ||
      this.#strayBytes > maxStrayBytes ||
      this.#lines.overlongLines > 0 ||
      this.#stderr.totalBytes > maxStderrBytes;
    if (isOver && !this.#isOverLimit) {
      this.#isOverLimit = true;
      this.#stdout.clear();
      this.#options.onOverLimit();
    }
  }

  #readLines(lines: readonly Buffer[]): void {
    const events = lines.flatMap((line) => this.#readLine(line));
    if (events.length > 0) {
      this.#options.onEvents(events);
    }
    this.#checkLimit();
  }

  get #hasWholeAnswer(): boolean {
    return this.#completion === 'success' && this.#answered;
  }

  #showBeginning(kept: string, maxCharacters: number): string {
    const excerpt = { text: kept, part: 'beginning', isCut: kept.length >= keptBytes } as const;
    return showExcerpt(excerpt, { maxCharacters, redact: this.#options.redact });
  }

  #readLine(line: Buffer): readonly ToldEvent[] {
    const isTooShort = line.length < minEventBytes;
    if (!isTooShort && isEchoOfInput(line)) {
      this.#sawEvents = true;
      return [];
    }
    const event = isTooShort ? null : parseStreamJsonEvent(line.toString('utf8'));
    this.#saidBytes += event?.type === 'tool_result' ? 0 : line.length;
    if (event === null || event.type === 'unknown') {
      this.#strayBytes += event === null ? line.length : 0;
      this.#keepStray(line);
      return [];
    }
    this.#sawEvents = true;
    return this.#readEvent(event);
  }

  #keepStray(line: Buffer): void {
    if (this.#strayOutput.length < keptBytes) {
      const text = line.toString('utf8', 0, keptBytes);
      this.#strayOutput = `${this.#strayOutput}${text}\n`.slice(0, keptBytes);
    }
  }

  #keepMessage(message: string): void {
    this.#messages = [...this.#messages, message.slice(0, keptBytes)].slice(-maxMessages);
  }

  #readEvent(event: Exclude<StreamJsonEvent, { type: 'unknown' }>): readonly ToldEvent[] {
    switch (event.type) {
      case 'init':
        this.#options.onInit();
        return [];
      case 'message':
        return this.#readMessage(event.role, event.content);
      case 'tool_use':
        return this.#startTool(event.tool_id, event.tool_name.slice(0, shownToolNameCharacters));
      case 'tool_result':
        return [this.#endTool(event)];
      case modelCallKind:
        this.#calls.add(event);
        return [];
      case 'error':
        this.#keepMessage(event.message);
        return [];
      case 'result':
        return this.#readResult(event);
    }
  }

  #startTool(id: string, name: string): readonly ToldEvent[] {
    this.#toolNames.set(id, name);
    return [{ type: 'tool', name, phase: 'started' }];
  }

  #endTool({ tool_id, status, output, error }: Extract<StreamJsonEvent, { type: 'tool_result' }>): ToldEvent {
    const name = this.#toolNames.get(tool_id) ?? tool_id.slice(0, shownToolNameCharacters);
    this.#toolNames.delete(tool_id);
    if (status === 'success') {
      return { type: 'tool', name, phase: 'succeeded' };
    }
    const said = (error?.message ?? output ?? '').slice(0, keptBytes);
    const detail = this.#showBeginning(said, shownToolDetailCharacters);
    return { type: 'tool', name, phase: 'failed', ...toolFailure(name, detail) };
  }

  #readMessage(role: string, content: string): readonly ToldEvent[] {
    if (role !== 'assistant' || content === '') {
      return [];
    }
    this.#answered ||= content.trim() !== '';
    return [{ type: 'text', text: content }];
  }

  #readResult({ status, error, stats }: Extract<StreamJsonEvent, { type: 'result' }>): readonly ToldEvent[] {
    this.#completion = status === 'success' ? 'success' : 'error';
    if (error !== undefined) {
      this.#keepMessage(error.message);
    }
    if (this.#hasWholeAnswer) {
      this.#options.onAnswered();
    }
    const models = Object.entries(stats?.models ?? {}).map(([model, { input_tokens, output_tokens, cached }]) => ({
      model,
      inputTokens: input_tokens,
      outputTokens: output_tokens,
      // The CLI always writes this, as 0 even if it did not look.
      ...(cached !== undefined && cached > 0 && { cachedTokens: cached }),
    }));
    const used = this.#calls.usageOr(models);
    return used.length === 0 ? [] : [{ type: 'usage', models: used }];
  }
}

/** The user event that repeats the whole input: megabytes without new information. */
function isEchoOfInput(head: Buffer): boolean {
  return /^\{"type":"message","timestamp":"[^"]*","role":"user"/.test(head.toString('latin1', 0, 256));
}

/** A process can only end with a byte, so the CLI's exit code for an API error is the HTTP status modulo 256. */
const statuses: readonly number[] = [400, 401, 403, 404, 408, 413, 429, 499, 500, 501, 502, 503, 504];

/** The HTTP status of an exit code of the CLI; null if it stands for another error. */
export function httpStatusOfExitCode(exitCode: number | null): number | null {
  return statuses.find((status) => status % 256 === exitCode) ?? null;
}

/**
 * The events of `--output-format stream-json` that we use (Gemini CLI 0.61.0), the reports of our preloaded script among them, and all
 * others as `unknown`.
 */
type StreamJsonEvent =
  | { type: 'unknown' }
  | { type: 'init' }
  | { type: 'message'; role: string; content: string }
  | { type: 'tool_use'; tool_name: string; tool_id: string }
  | {
      type: 'tool_result';
      tool_id: string;
      status: string;
      output?: string | undefined;
      error?: { message: string } | undefined;
    }
  | ({ type: typeof modelCallKind } & ModelCall)
  | { type: 'error'; message: string }
  | {
      type: 'result';
      status: string;
      error?: { message: string } | undefined;
      stats?: { models?: Record<string, StreamJsonModelStats> | undefined } | undefined;
    };

/** `cached` is part of `input_tokens`; versions that do not report it leave it out. */
type StreamJsonModelStats = { input_tokens: number; output_tokens: number; cached?: number | undefined };

const modelStats = z.object({
  input_tokens: z.number(),
  output_tokens: z.number(),
  cached: z.number().optional().catch(undefined),
});

const eventSchema: z.ZodType<Exclude<StreamJsonEvent, { type: 'unknown' }>> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('init') }),
  z.object({ type: z.literal('message'), role: z.string(), content: z.string() }),
  z.object({ type: z.literal('tool_use'), tool_name: z.string(), tool_id: z.string() }),
  z.object({
    type: z.literal('tool_result'),
    tool_id: z.string(),
    status: z.string(),
    // A broken detail of a result must not cost the result, here and below.
    output: z.string().optional().catch(undefined),
    error: z.object({ message: z.string() }).optional().catch(undefined),
  }),
  z.object({ type: z.literal(modelCallKind), ...modelCallShape }),
  z.object({ type: z.literal('error'), message: z.string() }),
  z.object({
    type: z.literal('result'),
    status: z.string(),
    // An answer without statistics is still an answer.
    error: z.object({ message: z.string() }).optional().catch(undefined),
    stats: z
      .object({ models: z.record(z.string(), modelStats).optional() })
      .optional()
      .catch(undefined),
  }),
]);

/** Reads one line of the stream; null if it is not a JSON object. */
export function parseStreamJsonEvent(line: string): StreamJsonEvent | null {
  if (!line.startsWith('{')) {
    return null;
  }
  try {
    const event = eventSchema.safeParse(JSON.parse(line));
    return event.success ? event.data : { type: 'unknown' };
  } catch {
    return null;
  }
}
