import { type ModelCall, type ModelCallUsage, modelCallKind } from './model-call.ts';
import { type PreloadPiece, preloadPiece } from './preload.ts';

type Reporting = {
  /** The protocol of the process on stdout. */
  readonly protocol: 'stream-json' | 'acp';
  /** The kind of the event or update that carries a report. */
  readonly kind: string;
};

type Report = (sessionId: string | null, call: ModelCall) => void;

/** The CLI's representation of a streamed request to a model, limited to the members used here. */
type Responses = { next: (...words: unknown[]) => Promise<{ readonly done?: boolean; readonly value?: unknown }> };

type Parts = {
  readonly createReport: typeof createReport;
  readonly createSpan: typeof createSpan;
  readonly textAt: typeof textAt;
  readonly usageOf: typeof usageOf;
  readonly watchResponses: typeof watchResponses;
};

type Watching = Pick<Parts, 'textAt' | 'usageOf'> & { readonly report: (call: ModelCall) => void };

/**
 * Reports on stdout, in the protocol of the process, how each streamed request of the CLI to a model ended, and how many tokens each
 * request used.
 *
 * The protocols of Gemini CLI 0.61.0 hide how the model ended its answer. The CLI makes every request to a model, whatever the login,
 * inside an OpenTelemetry span (`llm_call`), whose API takes its tracer from a global symbol. This installs a tracer that only observes:
 * it inspects the responses in passing, and keeps, changes and delays nothing. A request for an unstreamed response serves a tool or the
 * choice of a model and is not part of the answer: only its usage is reported. Neither protocol reports the usage of thoughts and tools,
 * and the session mode only that of the answer's own requests.
 *
 * A report is written before the CLI sees the end of the stream, so that it precedes the CLI's own last event.
 */
export function reportModelCallsPiece(protocol: Reporting['protocol']): PreloadPiece {
  const parts: Parts = { createReport, createSpan, textAt, usageOf, watchResponses };
  return preloadPiece(reportModelCalls, { protocol, kind: modelCallKind }, parts);
}

/** Runs inside the CLI, like the functions below. */
function reportModelCalls(_: NodeJS.Require, reporting: Reporting, parts: Parts): void {
  const report = parts.createReport(reporting);
  const span = parts.createSpan();
  const unknown = { finishReason: null, blockReason: null, modelVersion: null, usage: null };

  const watch = (words: readonly unknown[], result: unknown): void => {
    if (words[0] !== 'llm_call' || !(result instanceof Promise)) {
      return;
    }
    const sessionId = parts.textAt(words, [1, 'attributes', 'gen_ai.conversation.id']);
    const asked = parts.textAt(words, [1, 'attributes', 'gen_ai.request.model']);
    const begun: ModelCall = { ...unknown, isStreamed: true, isWhole: false, model: asked };
    const watching = { ...parts, report: (call: ModelCall): void => report(sessionId, call) };
    const watched = (responses: Responses): void => parts.watchResponses(responses, begun, watching);
    void result.then(watched, () => report(sessionId, begun)).catch(() => undefined);
  };
  const tracer = {
    startSpan: () => span,
    startActiveSpan: (...words: unknown[]): unknown => {
      const run: unknown = words.at(-1);
      const result: unknown = typeof run === 'function' ? run(span) : undefined;
      try {
        watch(words, result);
      } catch {
        // A call without a report stays unknown; the call itself must not suffer.
      }
      return result;
    },
  };
  const provider = { version: '1.9.0', trace: { getTracer: () => tracer } };
  Object.defineProperty(globalThis, Symbol.for('opentelemetry.js.api.1'), { value: provider, writable: true });
}

/** Inspects each response before the CLI does, and reports after the last one. */
function watchResponses(responses: Responses, begun: ModelCall, { report, textAt: read, usageOf }: Watching): void {
  if (typeof responses.next !== 'function') {
    const usage = usageOf(responses);
    if (usage !== null) {
      report({ ...begun, isStreamed: false, isWhole: true, modelVersion: read(responses, ['modelVersion']), usage });
    }
    return;
  }
  const next = responses.next.bind(responses);
  let call = begun;
  const look = ({ done = false, value }: { readonly done?: boolean; readonly value?: unknown }): void => {
    call = {
      ...call,
      isWhole: done,
      finishReason: read(value, ['candidates', 0, 'finishReason']) ?? call.finishReason,
      blockReason: read(value, ['promptFeedback', 'blockReason']) ?? call.blockReason,
      modelVersion: read(value, ['modelVersion']) ?? call.modelVersion,
      // A running total: the last one counts.
      usage: usageOf(value) ?? call.usage,
    };
    if (done) {
      report(call);
    }
  };
  responses.next = (...words) => {
    const coming = next(...words);
    Promise.resolve(coming)
      .then(look, () => report({ ...call, isWhole: false }))
      .catch(() => undefined);
    return coming;
  };
}

/** The text at a path in unvalidated data; null if missing. */
function textAt(data: unknown, path: readonly (string | number)[]): string | null {
  let found = data;
  for (const key of path) {
    found = typeof found === 'object' && found !== null ? Reflect.get(found, key) : undefined;
  }
  return typeof found === 'string' && found !== '' ? found.slice(0, 100) : null;
}

/** The token counts of a response, `usageMetadata`; null if missing. */
function usageOf(response: unknown): ModelCallUsage | null {
  const told: unknown =
    typeof response === 'object' && response !== null ? Reflect.get(response, 'usageMetadata') : undefined;
  if (typeof told !== 'object' || told === null) {
    return null;
  }
  const count = (name: string): number => {
    const tokens: unknown = Reflect.get(told, `${name}TokenCount`);
    return typeof tokens === 'number' && Number.isSafeInteger(tokens) && tokens > 0 ? tokens : 0;
  };
  return {
    inputTokens: count('prompt'),
    outputTokens: count('candidates'),
    thoughtTokens: count('thoughts'),
    cachedTokens: count('cachedContent'),
    toolTokens: count('toolUsePrompt'),
  };
}

/** Bypasses the function that the CLI later installs as `process.stdout.write`. */
function createReport({ protocol, kind }: Reporting): Report {
  const write = process.stdout.write.bind(process.stdout);
  return (sessionId, call) => {
    const update = { sessionUpdate: kind, ...call };
    const line =
      protocol === 'acp'
        ? { jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } }
        : { type: kind, ...call };
    write(`${JSON.stringify(line)}\n`);
  };
}

/** A span that records nothing. */
function createSpan(): object {
  const span: Record<string, () => unknown> = {
    end: () => undefined,
    recordException: () => undefined,
    isRecording: () => false,
    spanContext: () => ({ traceId: '0'.repeat(32), spanId: '0'.repeat(16), traceFlags: 0 }),
  };
  for (const name of ['setAttribute', 'setAttributes', 'addEvent', 'addLink', 'addLinks', 'setStatus', 'updateName']) {
    span[name] = () => span;
  }
  return span;
}
