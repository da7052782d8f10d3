import { isJsonRecord, type JsonRecord, recordsIn } from '../json-record.ts';
import type { RecordedRequest, RequestContent } from '../requests/recorded-request.ts';

/** Models before Gemini 3, which do not check signatures. */
const uncheckedModels = /^(?:gemini-[12](?!\d)|gemma-)/;

/**
 * The API's error for a conversation that it would refuse; null if it would accept it. The rules come from users' reports
 * and Google's page on thought signatures: no text is empty unless it has a signature; each call has its response in the
 * next turn; a call that came with a signature returns it; and from Gemini 3 on, the first call of each turn since the
 * message has one.
 */
export function findContentsRefusal({ model, contents }: Pick<RecordedRequest, 'model' | 'contents'>): string | null {
  if (contents.some(({ parts }) => recordsIn(parts).some(isEmptyText))) {
    return 'Unable to submit request because it has an empty text parameter. Add a value to the parameter and try again.';
  }
  const message = contents.findLastIndex(isMessage);
  const problems = contents.map((content, index) => {
    const isChecked = index > message && !uncheckedModels.test(model);
    return findCallRefusal(callsIn(content), contents[index + 1], isChecked);
  });
  return problems.find((problem) => problem !== null) ?? null;
}

function findCallRefusal(
  calls: readonly JsonRecord[],
  next: RequestContent | undefined,
  isChecked: boolean,
): string | null {
  const responses = recordsIn(next?.parts ?? []).filter((part) => 'functionResponse' in part);
  if (calls.length > 0 && calls.length !== responses.length) {
    return 'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.';
  }
  const signed = [...(isChecked ? calls.slice(0, 1) : []), ...calls.filter(isSignedByUs)];
  return signed.every(({ thoughtSignature }) => typeof thoughtSignature === 'string')
    ? null
    : 'Function call is missing a thought_signature in functionCall parts.';
}

function callsIn({ parts }: RequestContent): readonly JsonRecord[] {
  return recordsIn(parts).filter((part) => 'functionCall' in part);
}

function isMessage({ role, parts }: RequestContent): boolean {
  return role === 'user' && recordsIn(parts).every((part) => !('functionResponse' in part));
}

function isEmptyText({ text, thoughtSignature }: JsonRecord): boolean {
  return text === '' && thoughtSignature === undefined;
}

/** The first call of `toolCalls`. */
function isSignedByUs({ functionCall }: JsonRecord): boolean {
  return isJsonRecord(functionCall) && functionCall['id'] === 'call-0';
}
