import type { JsonRecord } from '../json-record.ts';
import type { AnswerReply, ErrorReply, Reply, ReplyChunk, ReplyUsage } from './reply.ts';

/** A piece of text that waits for a promise, so that a test can watch a stream without sleeping. */
export type GatedText = {
  readonly text: string;
  readonly after: Promise<unknown>;
};

export type TextOptions = {
  readonly usage?: ReplyUsage;
  /** Default: `STOP`. `MAX_TOKENS` for an answer that was cut. */
  readonly finishReason?: string;
};

/** An ordinary answer, one event for each chunk. */
export function text(chunks: string | readonly (string | GatedText)[], options: TextOptions = {}): AnswerReply {
  return { kind: 'answer', finishReason: 'STOP', ...options, chunks: toChunks(chunks) };
}

/** Headers and body only after `delayMs`. */
export function slow(delayMs: number, reply: Reply): Reply {
  return { kind: 'delayed', delayMs, reply };
}

/** No byte of an answer until the client leaves or the API is closed. */
export function hang(): Extract<Reply, { readonly kind: 'hang' }> {
  return { kind: 'hang' };
}

/** Sends the chunks, then destroys the socket; without chunks, before any header. */
export function cut(chunks: readonly (string | GatedText)[]): AnswerReply {
  return { kind: 'answer', finishReason: null, chunks: toChunks(chunks), isCut: true };
}

/** Sends the chunks, then the error as an event of the same stream; without a stream, only the error. */
export function brokenBy(error: ErrorReply, chunks: readonly (string | GatedText)[]): AnswerReply {
  return { kind: 'answer', finishReason: null, chunks: toChunks(chunks), error };
}

/** A finished answer without any part. */
export function empty(): AnswerReply {
  return { kind: 'answer', finishReason: 'STOP', chunks: [{ parts: [] }] };
}

/** A finished answer that contains only a thought. */
export function thoughtsOnly(thought: string = '**Considering** the question from several sides.'): AnswerReply {
  return { kind: 'answer', finishReason: 'STOP', chunks: [{ parts: [{ text: thought, thought: true }] }] };
}

/** An answer ended by the safety filter, after `partialText` if any. */
export function blocked(partialText: string = '', finishReason: string = 'SAFETY'): AnswerReply {
  return {
    kind: 'answer',
    finishReason,
    chunks: partialText === '' ? [{ parts: [] }] : toChunks(partialText),
    candidateFields: {
      safetyRatings: [{ category: 'HARM_CATEGORY_DANGEROUS_CONTENT', probability: 'HIGH', blocked: true }],
    },
  };
}

/** A prompt that was refused as a whole: no candidate, only `promptFeedback`. */
export function promptBlocked(blockReason: string = 'PROHIBITED_CONTENT'): AnswerReply {
  return { kind: 'answer', finishReason: null, chunks: [], responseFields: { promptFeedback: { blockReason } } };
}

/** A stream that ends properly without a finish reason. */
export function noFinish(chunks: string | readonly (string | GatedText)[] = []): AnswerReply {
  return { kind: 'answer', finishReason: null, chunks: toChunks(chunks) };
}

/** The model calls a function. `before` is text before the call. */
export function toolCall(name: string, args: JsonRecord, before: string = ''): AnswerReply {
  const call = { parts: [{ functionCall: { name, args } }] };
  return { kind: 'answer', finishReason: 'STOP', chunks: before === '' ? [call] : [...toChunks(before), call] };
}

/**
 * The model calls several functions together. The first call has the signature that must come back, as with thinking models.
 */
export function toolCalls(calls: readonly { readonly name: string; readonly args: JsonRecord }[]): AnswerReply {
  const parts = calls.map(({ name, args }, index) => ({
    functionCall: { id: `call-${index}`, name, args },
    ...(index === 0 && { thoughtSignature: 'c2lnbmF0dXJl' }),
  }));
  return { kind: 'answer', finishReason: 'STOP', chunks: [{ parts }] };
}

export type WebSource = {
  readonly title: string;
  readonly url: string;
};

export type GroundedIn = {
  readonly queries: readonly string[];
  readonly sources: readonly WebSource[];
  /** Texts of the answer with their first positions, and indexes into `sources`. */
  readonly supports: readonly { readonly text: string; readonly sources: readonly number[] }[];
};

/** A web page and the result of reading it. */
export type TriedPage = { readonly url: string; readonly outcome: 'read' | 'failed' | 'paywall' | 'unsafe' };

const statuses: Readonly<Record<TriedPage['outcome'], string>> = {
  read: 'URL_RETRIEVAL_STATUS_SUCCESS',
  failed: 'URL_RETRIEVAL_STATUS_ERROR',
  paywall: 'URL_RETRIEVAL_STATUS_PAYWALL',
  unsafe: 'URL_RETRIEVAL_STATUS_UNSAFE',
};

/** The results of a search, as `groundingMetadata` of the last event has them: positions are UTF-8 bytes. */
export function groundedIn(answer: string, { queries, sources, supports }: GroundedIn): JsonRecord {
  return {
    groundingMetadata: {
      webSearchQueries: queries,
      groundingChunks: sources.map(({ title, url }) => ({ web: { title, uri: url } })),
      groundingSupports: supports.map(({ text: part, sources: groundingChunkIndices }) => {
        const startIndex = Buffer.byteLength(answer.slice(0, answer.indexOf(part)));
        const endIndex = startIndex + Buffer.byteLength(part);
        // The API omits zeros.
        return { segment: { ...(startIndex > 0 && { startIndex }), endIndex, text: part }, groundingChunkIndices };
      }),
    },
  };
}

/** The results of reading pages, as `urlContextMetadata` of the last event has them. */
export function pagesTried(pages: readonly TriedPage[]): JsonRecord {
  return {
    urlContextMetadata: {
      urlMetadata: pages.map(({ url, outcome }) => ({ retrievedUrl: url, urlRetrievalStatus: statuses[outcome] })),
    },
  };
}

/** An answer with pages of the web read. */
export function readingPages(answer: string, pages: readonly TriedPage[]): AnswerReply {
  return { ...text(answer), candidateFields: pagesTried(pages) };
}

/** An answer with Google Search grounding: the whole text is attributed to the sources. */
export function grounded(answer: string, sources: readonly WebSource[], queries: readonly string[] = []): AnswerReply {
  const supports = [{ text: answer, sources: sources.map((_, index) => index) }];
  return { ...text(answer), candidateFields: groundedIn(answer, { queries, sources, supports }) };
}

function toChunks(chunks: string | readonly (string | GatedText)[]): readonly ReplyChunk[] {
  const list = typeof chunks === 'string' ? [chunks] : chunks;
  return list.map((chunk) =>
    typeof chunk === 'string' ? { parts: [{ text: chunk }] } : { parts: [{ text: chunk.text }], after: chunk.after },
  );
}
