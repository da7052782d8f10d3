import { recordsIn } from './json-record.ts';
import type { RequestContent } from './recorded-request.ts';

/**
 * What the API says of a conversation with calls that it would not go on with; null where it would. As reported of it: each call has its
 * response in the next turn, and a call that came with a signature brings it back.
 */
export function findFunctionProblem(contents: readonly RequestContent[]): string | null {
  for (const [index, { parts }] of contents.entries()) {
    const calls = recordsIn(parts).filter((part) => 'functionCall' in part);
    const responses = recordsIn(contents[index + 1]?.parts ?? []).filter((part) => 'functionResponse' in part);
    if (calls.length > 0 && calls.length !== responses.length) {
      return 'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.';
    }
    if (calls.some(isUnsigned)) {
      return 'Function call is missing a thought_signature in functionCall parts.';
    }
  }
  return null;
}

/** Of those that this API signs: the first of a turn, see `toolCalls`. */
function isUnsigned({ functionCall, thoughtSignature }: Readonly<Record<string, unknown>>): boolean {
  return recordsIn([functionCall]).some(({ id }) => id === 'call-0') && typeof thoughtSignature !== 'string';
}
