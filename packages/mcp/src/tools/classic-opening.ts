import {
  type AskFailure,
  type CallPurpose,
  type FailureWords,
  failureReason,
  type GeminiFailure,
} from '@gemini-mcp/core';

/**
 * The first line on a failed chat or search as older wrappers write it, to the letter: their users' scripts look for it. Missing
 * where they have none.
 */
export function classicOpening(
  { failure, timeoutMs }: AskFailure,
  purpose: CallPurpose,
  words?: FailureWords,
): string | undefined {
  if (purpose === 'query') {
    return undefined;
  }
  const classic = classicWords(failure, timeoutMs);
  return purpose === 'chat' ? `Error executing gemini: ${classic ?? `${failureReason(failure, words)}.`}` : classic;
}

function classicWords({ kind }: GeminiFailure, timeoutMs: number): string | undefined {
  switch (kind) {
    case 'timeout':
      return `CLI operation timed out after ${timeoutMs}ms`;
    case 'cli-missing':
      return 'Error: gemini-cli not found in PATH';
    default:
      return undefined;
  }
}
