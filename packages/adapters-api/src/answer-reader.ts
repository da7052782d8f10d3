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
import { GroundingReader } from './grounding/grounding-reader.ts';
import { hideSecret, readWithoutSecret, withoutSecret } from './hide-secret.ts';
import type { ModelTurn } from './lending/answer-with-tools.ts';
import { FunctionCallReader } from './lending/function-call-reader.ts';
import { PageReader } from './pages/page-reader.ts';

/** One event holds a piece of an answer; what is longer is no stream of the Gemini API. In UTF-16 code units. */
const maxEventCharacters = 16 * 1024 * 1024;

/** Of the text of an answer: 65,536 tokens, which is all that a model writes at once, are far less. In UTF-16 code units. */
const maxAnswerCharacters = 32 * 1024 * 1024;

/** Of a whole stream: more than all tokens that a model writes at once, each in an event of its own. */
const maxStreamBytes = 128 * 1024 * 1024;

/** Of a turn that is sent back. Texts are joined, and models make some calls at once. */
const maxParts = 10_000;

const carriageReturn = '\r';

export type AnswerReaderOptions = {
  readonly model: string;
  /** What no failure and no name may repeat; empty for nothing. */
  readonly secret: string;
  /** Whether Gemini may search the web: only then is it told what a search found. Not when it is missing. */
  readonly searches?: boolean;
  /** Pages that Gemini is to read; only then is it told what became of pages. None when it is missing. */
  readonly urls?: readonly string[];
  /** Whether Gemini may call functions. Not when it is missing. */
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

  /** The calls of functions that came, and the turn that they are in. */
  get turn(): Pick<ModelTurn, 'calls' | 'parts'> {
    return { calls: this.#functions?.calls ?? [], parts: this.#functions?.parts ?? [] };
  }

  /** Takes the next bytes. Returns what they complete; a failure among that is the end of the run. */
  push(bytes: Uint8Array): readonly RunEvent[] {
    const text = this.#decode(bytes);
    this.#bytes += bytes.length;
    if (this.#bytes > maxStreamBytes) {
      this.#fail({ kind: 'malformed-output', excerpt: `The stream was longer than ${maxStreamBytes} bytes.` });
    } else if (text === null) {
      this.#fail({ kind: 'malformed-output', excerpt: 'The stream was no UTF-8.' });
    } else {
      this.#parser.feed(text);
      this.#endsInCarriageReturn = text === '' ? this.#endsInCarriageReturn : text.endsWith(carriageReturn);
    }
    return this.#take();
  }

  /** What remains to be said when the stream has come to its end: what was used, found and read, and how the answer ended. */
  end(): readonly RunEvent[] {
    if (this.#endsInCarriageReturn) {
      // The parser waits for the line feed that may follow one: without it the last event of a stream of these would get lost.
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

  /** A name that the API gave something: a word of its own, or anything. */
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
      this.#fail({ kind: 'malformed-output', excerpt: 'An event of the stream was no JSON object.' });
      return;
    }
    if (chunk.mayBeError && readGoogleError(value) !== null) {
      // Read again without the secret: its excerpt is cut, and half a key is not recognised.
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

/** Google searches in the one request: what a search found is all that is seen of the tool. */
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

/** The tokens of a run, as the API's `usageMetadata` has them. What it leaves out is left out here, but for input and output. */
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
