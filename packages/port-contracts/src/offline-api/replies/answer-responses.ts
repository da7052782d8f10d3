import { randomUUID } from 'node:crypto';
import type { JsonRecord } from '../json-record.ts';
import type { RecordedRequest } from '../requests/recorded-request.ts';
import { addText, countRequestTokens, emptyTally, tokensOfTally } from '../requests/token-count.ts';
import type { AnswerReply, ReplyChunk, ReplyUsage } from './reply.ts';

/** One `GenerateContentResponse` for each chunk. Token counts grow along the stream like the API's. */
export function buildStreamResponses(
  reply: AnswerReply,
  request: RecordedRequest,
  cachedTokens: number | null = null,
): readonly JsonRecord[] {
  const chunks = reply.chunks.length === 0 && reply.responseFields !== undefined ? [null] : reply.chunks;
  const known = { promptTokens: countRequestTokens(request), ...(cachedTokens !== null && { cachedTokens }) };
  const responseId = randomUUID();
  let written = emptyTally;
  return chunks.map((chunk, index) => {
    const isLast = index === chunks.length - 1;
    written = chunk === null ? written : addText(written, textOf(chunk));
    return {
      ...(chunk === null ? {} : { candidates: [buildCandidate(reply, chunk.parts, isLast)] }),
      usageMetadata: buildUsage({ ...known, candidatesTokens: tokensOfTally(written), ...reply.usage }),
      modelVersion: request.model,
      responseId,
      ...(isLast ? reply.responseFields : {}),
    };
  });
}

/** The same answer in one piece, as `generateContent` gives it. */
export function buildWholeResponse(
  reply: AnswerReply,
  request: RecordedRequest,
  cachedTokens: number | null = null,
): JsonRecord {
  const parts = reply.chunks.flatMap((chunk) => chunk.parts);
  const hasCandidate = reply.chunks.length > 0 || reply.responseFields === undefined;
  const whole = { ...reply, chunks: hasCandidate ? [{ parts }] : [] };
  const [response = {}] = buildStreamResponses(whole, request, cachedTokens);
  return response;
}

function buildCandidate(reply: AnswerReply, parts: readonly JsonRecord[], isLast: boolean): JsonRecord {
  // An answer without parts has no `parts` member at all, as the real API sends it.
  const content = parts.length === 0 ? { role: 'model' } : { role: 'model', parts };
  const ending = isLast && reply.finishReason !== null ? { finishReason: reply.finishReason } : {};
  return { content, ...ending, index: 0, ...(isLast ? reply.candidateFields : {}) };
}

function textOf({ parts }: ReplyChunk): string {
  return parts.map(({ text }) => (typeof text === 'string' ? text : '')).join('');
}

function buildUsage(usage: Required<Pick<ReplyUsage, 'promptTokens' | 'candidatesTokens'>> & ReplyUsage): JsonRecord {
  const { promptTokens, candidatesTokens, thoughtsTokens, cachedTokens, toolUseTokens } = usage;
  return {
    promptTokenCount: promptTokens,
    candidatesTokenCount: candidatesTokens,
    totalTokenCount: promptTokens + candidatesTokens + (thoughtsTokens ?? 0) + (toolUseTokens ?? 0),
    ...(cachedTokens === undefined ? {} : { cachedContentTokenCount: cachedTokens }),
    ...(toolUseTokens === undefined ? {} : { toolUsePromptTokenCount: toolUseTokens }),
    ...(thoughtsTokens === undefined ? {} : { thoughtsTokenCount: thoughtsTokens }),
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: promptTokens }],
  };
}
