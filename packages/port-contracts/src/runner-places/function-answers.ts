import { isJsonRecord, type RecordedRequest, type RequestContent, recordsIn } from '../offline-api/index.ts';

/** The calls that a request to the API reports of the model, for each of its turns. */
export function functionAnswersIn({ contents }: RecordedRequest): readonly (readonly string[])[] {
  return contents.slice(messageIndex(contents) + 1).flatMap(({ parts }) => {
    const texts = recordsIn(parts).flatMap(({ functionResponse }) => textOf(functionResponse));
    return texts.length === 0 ? [] : [texts];
  });
}

/** The turns up to the message. Those about calls follow. */
export function turnsUpToMessage(contents: readonly RequestContent[]): readonly RequestContent[] {
  return contents.slice(0, messageIndex(contents) + 1);
}

function messageIndex(contents: readonly RequestContent[]): number {
  return contents.findLastIndex(
    ({ role, parts }) => role === 'user' && recordsIn(parts).every((part) => !('functionResponse' in part)),
  );
}

function textOf(functionResponse: unknown): readonly string[] {
  const response = isJsonRecord(functionResponse) ? functionResponse['response'] : null;
  if (!isJsonRecord(response)) {
    return [];
  }
  const { output, error } = response;
  return [`${output ?? error}`];
}
