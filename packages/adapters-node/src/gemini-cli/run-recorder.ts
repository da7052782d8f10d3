import type { RunEvent, RunOutcome } from '@gemini-mcp/core';
import type { ProcessEnd } from '../process/contained-process.ts';
import { LineSplitter } from '../process/line-splitter.ts';
import { TailBuffer } from '../process/tail-buffer.ts';
import {
  keptStderrBytes,
  maxEventBytes,
  maxStderrBytes,
  maxStdoutBytes,
  shownStderrCharacters,
  shownStrayCharacters,
} from './cli-limits.ts';
import { httpStatusOfExitCode } from './http-status.ts';
import { parseStreamJsonEvent, type StreamJsonEvent } from './stream-json-event.ts';

export type RunRecorderOptions = {
  /** The CLI repeats its input on stdout, in JSON at most six bytes a byte; that much is not held against the limit. */
  readonly inputBytes: number;
  readonly redact: (text: string) => string;
};

type Termination = Exclude<RunOutcome['termination'], 'refused' | 'not-started'>;

/** Reads what a run of the CLI writes, event by event, and knows in the end how it went. */
export class RunRecorder {
  readonly #options: RunRecorderOptions;
  readonly #lines = new LineSplitter({ maxLineBytes: maxEventBytes, isUnwanted: isEchoOfInput });
  readonly #stderr = new TailBuffer(keptStderrBytes);
  readonly #toolNames = new Map<string, string>();
  readonly #messages: string[] = [];
  #stdoutBytes = 0;
  #completion: RunOutcome['completion'] = 'missing';
  #sawEvents = false;
  #answered = false;
  #strayOutput = '';

  constructor(options: RunRecorderOptions) {
    this.#options = options;
  }

  /** Whether the run has written more than any answer could be. */
  get isOverLimit(): boolean {
    const { inputBytes } = this.#options;
    const overStdout = this.#stdoutBytes > maxStdoutBytes + 6 * inputBytes || this.#lines.overlongLines > 0;
    return overStdout || this.#stderr.totalBytes > maxStderrBytes;
  }

  readStdout(chunk: Buffer): readonly RunEvent[] {
    this.#stdoutBytes += chunk.length;
    return this.#lines.push(chunk).flatMap((line) => this.#readLine(line));
  }

  readStderr(chunk: Buffer): void {
    this.#stderr.push(chunk);
  }

  /** What is left when the streams have ended. */
  readRest(): readonly RunEvent[] {
    return this.#lines.end().flatMap((line) => this.#readLine(line));
  }

  outcome(end: ProcessEnd, termination: Termination): RunOutcome {
    const { redact } = this.#options;
    return {
      termination,
      exitCode: end.exitCode,
      signal: end.signal,
      completion: this.#completion,
      sawEvents: this.#sawEvents,
      answered: this.#answered,
      httpStatus: this.#completion === 'success' ? null : httpStatusOfExitCode(end.exitCode),
      messages: this.#messages.map((message) => redact(message).slice(0, shownStderrCharacters)),
      stderr: redact(this.#stderr.text()).slice(-shownStderrCharacters),
      strayOutput: redact(this.#strayOutput).slice(0, shownStrayCharacters),
    };
  }

  #readLine(line: Buffer): readonly RunEvent[] {
    if (isEchoOfInput(line.subarray(0, 256))) {
      this.#sawEvents = true;
      return [];
    }
    const text = line.toString('utf8');
    const event = parseStreamJsonEvent(text);
    if (event === null) {
      this.#strayOutput = `${this.#strayOutput}${text.slice(0, keptStderrBytes)}\n`.slice(0, keptStderrBytes);
      return [];
    }
    this.#sawEvents = true;
    return this.#readEvent(event);
  }

  #readEvent(event: StreamJsonEvent): readonly RunEvent[] {
    switch (event.type) {
      case 'init':
        return [];
      case 'message':
        return this.#readMessage(event.role, event.content);
      case 'tool_use':
        this.#toolNames.set(event.tool_id, event.tool_name);
        return [{ type: 'tool', name: event.tool_name, phase: 'started' }];
      case 'tool_result': {
        const name = this.#toolNames.get(event.tool_id) ?? event.tool_id;
        return [{ type: 'tool', name, phase: event.status === 'success' ? 'succeeded' : 'failed' }];
      }
      case 'error':
        this.#messages.push(event.message);
        return [];
      case 'result':
        return this.#readResult(event);
    }
  }

  #readMessage(role: string, content: string): readonly RunEvent[] {
    if (role !== 'assistant' || content === '') {
      return [];
    }
    this.#answered ||= content.trim() !== '';
    return [{ type: 'text', text: content }];
  }

  #readResult({ status, error, stats }: Extract<StreamJsonEvent, { type: 'result' }>): readonly RunEvent[] {
    this.#completion = status === 'success' ? 'success' : 'error';
    if (error !== undefined) {
      this.#messages.push(error.message);
    }
    const models = Object.entries(stats?.models ?? {}).map(([model, { input_tokens, output_tokens }]) => ({
      model,
      inputTokens: input_tokens,
      outputTokens: output_tokens,
    }));
    return models.length === 0 ? [] : [{ type: 'usage', models }];
  }
}

/** The user event that repeats the whole input: megabytes that say nothing new. */
function isEchoOfInput(head: Buffer): boolean {
  return /^\{"type":"message","timestamp":"[^"]*","role":"user"/.test(head.subarray(0, 256).toString('latin1'));
}
