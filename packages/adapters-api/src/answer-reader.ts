import {
  endOfAnswer,
  excerptFrom,
  type GeminiFailure,
  type ModelUsage,
  parseAnswerEnding,
  type RunEvent,
  readGoogleError,
} from '@gemini-mcp/core';
import { createParser } from 'eventsource-parser';
import { type ApiChunk, parseApiChunk } from './api-chunk.ts';
import type { ModelTurn } from './function-calls/answer-with-tools.ts';
import { FunctionCallReader } from './function-calls/function-call-reader.ts';
import { GroundingReader } from './grounding/grounding-reader.ts';
import { PageReader } from './grounding/page-reader.ts';
import { hideSecret, readWithoutSecret, withoutSecret } from './hide-secret.ts';

/** The longest event in UTF-16 code units. One event holds a piece of an answer; a longer one is not from the Gemini API. */
const maxEventCharacters = 16 * 1024 * 1024;

/** The longest answer in UTF-16 code units: far more than the 65,536 tokens that a model writes at once. */
const maxAnswerCharacters = 32 * 1024 * 1024;

/** The most events of a stream: more than the tokens that a model writes at once, each in its own event. */
const maxStreamBytes = 128 * 1024 * 1024;

/** The most parts of a turn that is sent back. Texts are joined, and models make a few calls at once. */
const maxParts = 10_000;

const carriageReturn = '\r';

export type AnswerReaderOptions = {
  readonly model: string;
  /** The secret that failures and names must not repeat; empty if unused. */
  readonly secret: string;
  /** Whether Gemini may search the web: only then does the reader report search results. No if missing. */
  readonly searches?: boolean;
  /** Pages that Gemini should read. Without them, the reader does not report pages. */
  readonly urls?: readonly string[];
  /** Whether Gemini may call functions. No if missing. */
  readonly callsFunctions?: boolean;
};

type Last = Pick<ApiChunk, 'finishReason' | 'blockReason' | 'modelVersion' | 'usage'>;

/** Turns the bytes of a stream of server-sent events into the events of a run. */
export class AnswerReader {
  readonly #model: string;
  readonly #secret: string;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  readonly #parser = createParser({
    maxBufferSize: maxEventCharacters,
    onEvent: ({ data }) => this.#read(data),
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') {
        this.#fail({ kind: 'malformed-output', excerpt: `An event was longer than ${maxEventCharacters} characters.` });
      }
    },
  });
  #events: RunEvent[] = [];
  #failure: GeminiFailure | null = null;
  #hasText = false;
  #bytes = 0;
  #answerCharacters = 0;
  #endsInCarriageReturn = false;
  readonly #grounding: GroundingReader | null;
  readonly #pages: PageReader | null;
  #last: Last = { finishReason: null, blockReason: null, modelVersion: null, usage: null };

  readonly #functions: FunctionCallReader | null;

  constructor({ model, secret, searches = false, urls = [], callsFunctions = false }: AnswerReaderOptions) {
    this.#model = model;
    this.#secret = secret;
    this.#grounding = searches ? new GroundingReader() : null;
    this.#functions = callsFunctions ? new FunctionCallReader() : null;
    this.#pages = urls.length > 0 ? new PageReader(urls) : null;
  }

  get hasFailed(): boolean {
    return this.#failure !== null;
  }

  /** The received function calls, and the turn that holds them. */
  get turn(): Pick<ModelTurn, 'calls' | 'parts'> {
    return { calls: this.#functions?.calls ?? [], parts: this.#functions?.parts ?? [] };
  }

  /** Accepts the next bytes. Returns the events that they complete; a failure among them is the end of the run. */
  push(bytes: Uint8Array): readonly RunEvent[] {
    const text = this.#decode(bytes);
    this.#bytes += bytes.length;
    if (this.#bytes > maxStreamBytes) {
      this.#fail({ kind: 'malformed-output', excerpt: `The stream was longer than ${maxStreamBytes} bytes.` });
    } else if (text === null) {
      this.#fail({ kind: 'malformed-output', excerpt: 'The stream was not UTF-8.' });
    } else {
      this.#parser.feed(text);
      this.#endsInCarriageReturn = text === '' ? this.#endsInCarriageReturn : text.endsWith(carriageReturn);
    }
    return this.#take();
  }

  /** The remaining events at the end of the stream: usage, search results, pages, and how the answer ended. */
  end(): readonly RunEvent[] {
    if (this.#endsInCarriageReturn) {
      // The parser waits for a line feed after a carriage return: without it the last event of a stream with CR line ends would be lost.
      this.#parser.feed('\n');
    }
    const events = this.#take();
    return this.hasFailed ? events : [...events, ...this.#endOfStream()];
  }

  #endOfStream(): readonly RunEvent[] {
    const { finishReason, blockReason, modelVersion, usage } = this.#last;
    const version = this.#shown(modelVersion);
    const ending = parseAnswerEnding({
      finishReason: this.#shown(finishReason),
      blockReason: this.#shown(blockReason),
    });
    return [
      ...(usage === null ? [] : [{ type: 'usage', models: [usageOf(this.#model, usage)] } as const]),
      ...groundingEvents(this.#grounding),
      ...pageEvents(this.#pages),
      endOfAnswer({ ending, hasText: this.#hasText, ...(version !== null && { modelVersion: version }) }),
    ];
  }

  /** A name in the API's output: one plain word, or arbitrary text. */
  #shown(name: string | null): string | null {
    return name === null ? null : excerptFrom(withoutSecret(name, this.#secret));
  }

  #decode(bytes: Uint8Array): string | null {
    try {
      return this.#decoder.decode(bytes, { stream: true });
    } catch {
      return null;
    }
  }

  #take(): readonly RunEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  #read(data: string): void {
    const value = parseJson(data);
    const chunk = parseApiChunk(value);
    if (chunk === null) {
      this.#fail({ kind: 'malformed-output', excerpt: 'An event of the stream was not a JSON object.' });
      return;
    }
    if (chunk.mayBeError && readGoogleError(value) !== null) {
      // Parsed again without the secret: the excerpt is cut, and redaction does not recognise half a key.
      this.#fail(readGoogleError(readWithoutSecret(data, this.#secret)));
    } else {
      this.#note(chunk);
    }
  }

  #note({ text, parts, grounding, pages, ...said }: ApiChunk): void {
    if (this.#failure === null && text !== '') {
      this.#events.push({ type: 'text', text });
    }
    this.#functions?.add(parts);
    if ((this.#functions?.parts.length ?? 0) > maxParts) {
      this.#fail({ kind: 'malformed-output', excerpt: `A turn had more than ${maxParts} parts.` });
    }
    this.#grounding?.add(parts, grounding);
    if (pages !== null) {
      this.#pages?.add(pages);
    }
    this.#hasText ||= text.trim() !== '';
    this.#answerCharacters += text.length;
    if (this.#answerCharacters > maxAnswerCharacters) {
      this.#fail({
        kind: 'malformed-output',
        excerpt: `The answer was longer than ${maxAnswerCharacters} characters.`,
      });
    }
    const last = this.#last;
    this.#last = {
      finishReason: said.finishReason ?? last.finishReason,
      blockReason: said.blockReason ?? last.blockReason,
      modelVersion: said.modelVersion ?? last.modelVersion,
      usage: said.usage ?? last.usage,
    };
  }

  #fail(failure: GeminiFailure | null): void {
    if (this.#failure === null && failure !== null) {
      this.#failure = failure;
      this.#events.push({ type: 'failure', failure: hideSecret(failure, this.#secret) });
    }
  }
}

/** Google searches within the one request: the results are the only visible trace of the tool. */
function groundingEvents(reader: GroundingReader | null): readonly RunEvent[] {
  const grounding = reader?.end() ?? null;
  const search = { type: 'tool', name: 'google_web_search' } as const;
  return grounding === null
    ? []
    : [
        { ...search, phase: 'started' },
        { ...search, phase: 'succeeded' },
        { type: 'grounding', grounding },
      ];
}

function pageEvents(reader: PageReader | null): readonly RunEvent[] {
  const pages = reader?.pages ?? [];
  return pages.length === 0 ? [] : [{ type: 'pages', pages }];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The token usage of a run from the API's `usageMetadata`. Omits counts that the API omits, except input and output. */
function usageOf(model: string, metadata: Readonly<Record<string, unknown>>): ModelUsage {
  const count = (name: string): number | null => {
    const value = metadata[name];
    return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
  };
  const [thoughts, cached, tool] = ['thoughtsTokenCount', 'cachedContentTokenCount', 'toolUsePromptTokenCount'].map(
    count,
  );
  return {
    model,
    inputTokens: count('promptTokenCount') ?? 0,
    outputTokens: count('candidatesTokenCount') ?? 0,
    ...(thoughts != null && { thoughtTokens: thoughts }),
    ...(cached != null && { cachedTokens: cached }),
    ...(tool != null && { toolTokens: tool }),
  };
}
