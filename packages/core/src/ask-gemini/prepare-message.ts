import { isLeftOutByLimit } from '../context/context-format.ts';
import type { GeminiFailure } from '../failure/gemini-failure.ts';
import type { ModelChain } from '../fallback/model-chain.ts';
import type { ContextBundle, ContextResolver } from '../ports/context-resolver.ts';
import type { RunnerCapabilities } from '../ports/gemini-runner.ts';
import type { AskProgress, AskRequest } from './ask-request.ts';
import type { ContextReport } from './ask-result.ts';
import { composeMessage, messageRoom } from './compose-message.ts';

export type PrepareOptions = {
  readonly request: AskRequest;
  readonly deadlineAtMs: number;
  readonly chain: ModelChain;
  readonly resolver: ContextResolver;
  readonly capabilities: RunnerCapabilities;
  readonly createBoundary: () => string;
  readonly onProgress: (progress: AskProgress) => void;
};

export type PreparedMessage =
  | { readonly failure: null; readonly message: string; readonly context: ContextReport | null }
  | { readonly failure: GeminiFailure; readonly context: ContextReport | null };

/** Reads what the caller named and writes the message to Gemini; without names the message is the prompt itself. */
export async function prepareMessage(options: PrepareOptions, signal: AbortSignal): Promise<PreparedMessage> {
  const { request, capabilities, chain, onProgress } = options;
  if (!namesContext(request)) {
    return { failure: null, message: request.prompt, context: null };
  }
  onProgress({ type: 'reading-context' });
  const room = messageRoom(capabilities, chain);
  const limits = {
    maxFiles: request.maxFiles,
    maxBytes: Math.min(request.maxBytes, room.bytes),
    maxCharacters: room.characters,
  };
  const bundle = await resolveUnlessAborted(options, limits, signal);
  if (bundle === null) {
    return { failure: { kind: 'cancelled' }, context: null };
  }
  const { text, bundle: sent } = composeMessage({ ...options, prompt: request.prompt, bundle, room });
  const context = report(sent, limits);
  if (sent.documents.length === 0) {
    return { failure: explainNothingToSend(sent), context };
  }
  onProgress({ type: 'context-ready', files: context.files, bytes: context.bytes });
  return { failure: null, message: text, context };
}

function namesContext({ files, globPatterns, directories }: AskRequest): boolean {
  return files.length + globPatterns.length + directories.length > 0;
}

async function resolveUnlessAborted(
  { request, deadlineAtMs, resolver }: PrepareOptions,
  { maxFiles, maxBytes }: ContextReport['limits'],
  signal: AbortSignal,
): Promise<ContextBundle | null> {
  const { files, globPatterns, directories } = request;
  try {
    return await resolver.resolve({ files, globPatterns, directories, maxFiles, maxBytes, deadlineAtMs }, signal);
  } catch (error) {
    if (signal.aborted) {
      return null;
    }
    throw error;
  }
}

function report({ documents, leftOut }: ContextBundle, limits: ContextReport['limits']): ContextReport {
  const bytes = documents.reduce((sum, document) => sum + document.sizeBytes, 0);
  return { files: documents.length, bytes, leftOut, limits };
}

/** The caller asked about files and none can be sent: an answer without them would be a guess. */
function explainNothingToSend({ leftOut }: ContextBundle): GeminiFailure {
  if (leftOut.some((entry) => entry.reason === 'deadline')) {
    return { kind: 'timeout' };
  }
  return leftOut.some(isLeftOutByLimit)
    ? { kind: 'context-too-large', refusal: null, excerpt: '' }
    : { kind: 'no-context', leftOut };
}
