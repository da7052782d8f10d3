import { type AskFailure, type ContextLimits, failBeforeRun } from '../answers/ask-result.ts';
import type { AskRequest } from '../ask-gemini/ask-request.ts';
import { estimateTextTokens } from '../ask-gemini/estimate-text-tokens.ts';
import { type CountMessage, messageCounter } from '../ask-gemini/message-counter.ts';
import { type PreparedMessage, type PrepareMessageOptions, prepareMessage } from '../ask-gemini/prepare-message.ts';
import { capabilitiesFor } from '../ask-gemini/run-request-of.ts';
import { type SentPart, sentParts } from '../ask-gemini/sent-part.ts';
import type { BoundaryOf } from '../context/boundary.ts';
import type { GeminiFailure } from '../failure/gemini-failure.ts';
import type { LeftOut } from '../failure/left-out.ts';
import { chainFor, chainWindowTokens, selectModelChain, type WindowOf } from '../fallback/model-chain.ts';
import { isJsonByRunner, requestForJson } from '../json-answer/request-for-json.ts';
import type { Clock } from '../ports/clock.ts';
import type { ContextResolver, InlineMedia } from '../ports/context-resolver.ts';
import type { GeminiRunner } from '../ports/gemini-runner/gemini-runner.ts';
import type { ModelChain, RunnerCapabilities } from '../ports/gemini-runner/runner-capabilities.ts';
import type { TokenCount } from '../ports/gemini-runner/token-usage.ts';
import { refuseLacking } from '../runner-choice/list-lacks.ts';
import { utf8Length } from '../text/utf8-length.ts';
import type { CallQueue } from '../waiting/call-queue.ts';
import { runInTurn } from '../waiting/run-in-turn.ts';

export type PreviewContextOptions = {
  readonly clock: Clock;
  readonly resolver: ContextResolver;
  /** The runner that a call would use. */
  readonly runner: GeminiRunner;
  /** As in `AskGeminiOptions`. */
  readonly modelChain: ModelChain | null;
  readonly windowOf?: WindowOf;
  /** Creates the word in the tags around files. */
  readonly boundaryOf: BoundaryOf;
  /** The queue of previews, each of which holds everything it would send; no limit if missing. */
  readonly queue?: CallQueue;
};

type Arrival = Pick<PrepareMessageOptions, 'deadlineAtMs' | 'onProgress'> & { readonly request: PreviewRequest };

export type PreviewRequest = AskRequest & {
  /** Sends everything to Google to count its tokens, if the runner can. Nothing is sent if missing. */
  readonly countsTokens?: boolean;
};

/**
 * Shows what `AskGemini` would send for a request, without asking a model, without taking a slot from real calls, and without sending anything unless
 * the request `countsTokens`.
 */
export class PreviewContext {
  readonly #options: PreviewContextOptions;

  constructor(options: PreviewContextOptions) {
    this.#options = options;
  }

  /**
   * Resolves to what would be sent, or to the failure that would end the call before any model is asked. A request with an `answerSchema` is treated
   * as a question of `AskForJson`. An abort of `signal` resolves to a `cancelled` failure, a full queue to `busy`.
   */
  async preview(request: PreviewRequest, signal: AbortSignal): Promise<PreviewResult> {
    const { clock, queue } = this.#options;
    const arrival: Arrival = { request, deadlineAtMs: clock.now() + request.timeoutMs, onProgress: () => undefined };
    const turn = await runInTurn(
      { ...arrival, queue, clock, owner: request.owner ?? '', onQueued: () => undefined },
      () => this.#previewInPlace(arrival, signal),
      signal,
    );
    return turn.failure === null ? turn.result : { ok: false, failed: failBeforeRun(request, turn.failure) };
  }

  async #previewInPlace(arrival: Arrival, signal: AbortSignal): Promise<PreviewResult> {
    const { clock, modelChain, windowOf, resolver, runner, boundaryOf } = this.#options;
    const { deadlineAtMs } = arrival;
    const request = asAsked(arrival.request, runner);
    const capabilities = capabilitiesFor(runner, request);
    const refusal = refuseNeeds(request, capabilities);
    if (refusal !== null) {
      return { ok: false, failed: failBeforeRun(request, refusal) };
    }
    const chain = selectModelChain(request.model, chainFor(modelChain, capabilities));
    const windowTokens = chainWindowTokens(chain, windowOf);
    const counter = messageCounter({ runner, clock, request, chain, deadlineAtMs }, signal);
    const { countsTokens = false } = arrival.request;
    const count = countsTokens || counter === null ? counter : countByEstimate(request);
    const options: PrepareMessageOptions = {
      ...arrival,
      request,
      windowTokens,
      resolver,
      capabilities,
      boundaryOf,
      count,
    };
    const prepared = await prepareMessage(options, signal);
    if (prepared.failure !== null) {
      return { ok: false, failed: failBeforeRun(request, prepared.failure, prepared.context) };
    }
    const { message, media } = prepared;
    const tokens = countsTokens ? (prepared.tokens ?? (await counter?.(message, media)) ?? cannotCount) : null;
    return signal.aborted
      ? { ok: false, failed: failBeforeRun(request, { kind: 'cancelled' }) }
      : { ok: true, preview: previewOf(prepared, { request, windowTokens, tokens, canBeCounted: counter !== null }) };
  }
}

type Measured = Pick<ContextPreview, 'windowTokens' | 'canBeCounted'> & {
  readonly request: AskRequest;
  readonly tokens: TokenCount | null;
};

function previewOf(
  { message, media, documents, context, limits }: Extract<PreparedMessage, { readonly failure: null }>,
  { request, windowTokens, canBeCounted, tokens }: Measured,
): ContextPreview {
  const estimatedTokens = estimateWhole(request, message, media);
  return {
    entries: sentParts({ documents, media, leftOut: [] }),
    leftOut: context?.leftOut ?? [],
    ...(context?.workingDirectory !== undefined && { workingDirectory: context.workingDirectory }),
    messageBytes: utf8Length(message),
    messageCharacters: message.length,
    estimatedTokens,
    canBeCounted,
    ...(tokens?.ok === true && { countedTokens: tokens.tokens }),
    ...(tokens?.ok === false && { countFailure: tokens.failure }),
    windowTokens,
    share: (tokens?.ok === true ? tokens.tokens : estimatedTokens) / windowTokens,
    limits,
  };
}

const cannotCount: TokenCount = { ok: false, failure: { kind: 'unsupported', feature: 'token-count' } };

/** A call would be fitted by counts. Its preview uses the estimate, unless counts are requested. */
function countByEstimate(request: AskRequest): CountMessage {
  return async (message, media) => ({ ok: true, tokens: estimateWhole(request, message, media) });
}

function estimateWhole({ history = [] }: AskRequest, message: string, media: readonly InlineMedia[]): number {
  const texts = [message, ...history.map(({ text }) => text)].map(estimateTextTokens);
  const ofMedia = sentParts({ documents: [], media, leftOut: [] }).map(({ estimatedTokens }) => estimatedTokens);
  return [...texts, ...ofMedia].reduce((sum, tokens) => sum + tokens, 0);
}

/** The prompt asks for JSON if the runner cannot enforce a schema. */
function asAsked({ answerSchema: schema, ...request }: AskRequest, runner: GeminiRunner): AskRequest {
  return schema === undefined
    ? request
    : requestForJson({ request, form: { schema }, isByRunner: isJsonByRunner(runner, request, { schema }) });
}

/** The refusal of what the runner does not support, whatever the message. */
function refuseNeeds(
  { history = [], settings, answerSchema, urls = [] }: AskRequest,
  capabilities: RunnerCapabilities,
): GeminiFailure | null {
  const needs = {
    ...(settings !== undefined && { settings }),
    ...(answerSchema !== undefined && { answerSchema }),
  };
  return refuseLacking({ model: '', input: '', deadlineAtMs: 0, history, urls, ...needs }, capabilities);
}

/** What a call would send. */
export type ContextPreview = {
  /** In sending order; empty if the caller named nothing. */
  readonly entries: readonly SentPart[];
  readonly leftOut: readonly LeftOut[];
  /** Absolute: relative names are resolved from it. Missing if nothing was named, or the caller must not know it. */
  readonly workingDirectory?: string;
  /** The whole message in UTF-8: the prompt, the files, and the text around them. */
  readonly messageBytes: number;
  /** In UTF-16 code units. */
  readonly messageCharacters: number;
  /** Of the message, the conversation and the media: see `estimateTextTokens`. */
  readonly estimatedTokens: number;
  /** Whether Google would count the tokens of a request that `countsTokens`. */
  readonly canBeCounted: boolean;
  /** Of the same plus the system prompt, as Google counted them. Missing if not requested, or if counting failed. */
  readonly countedTokens?: number;
  /** Why they could not be counted as requested. */
  readonly countFailure?: GeminiFailure;
  /** Of the smallest model of the chain. */
  readonly windowTokens: number;
  /** The share of `windowTokens`, counted or estimated; above 1 if it exceeds the window. */
  readonly share: number;
  /** The limits of the call. */
  readonly limits: ContextLimits;
};

export type PreviewResult =
  | { readonly ok: true; readonly preview: ContextPreview }
  | { readonly ok: false; readonly failed: AskFailure };
