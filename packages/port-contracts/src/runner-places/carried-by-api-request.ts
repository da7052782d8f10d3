import type { InlineMedia } from '@gemini-mcp/core';
import type { CarriedContext } from '../gemini-runner/gemini-runner-harness.ts';
import {
  isJsonRecord,
  type JsonRecord,
  type RecordedRequest,
  type RequestContent,
  recordsIn,
} from '../offline-api/index.ts';
import { turnsUpToMessage } from './function-answers.ts';

/** The content of a plain request of the Gemini API: the last turn is the message, the others are the conversation. */
export function carriedByApiRequest(request: RecordedRequest): CarriedContext {
  const { model, apiKey, hasGoogleSearch, systemText, pageUrls, body } = request;
  const contents = turnsUpToMessage(request.contents);
  const carried = {
    model,
    apiKey,
    tools: hasGoogleSearch ? 'web-search' : 'none',
    history: contents.slice(0, -1).map(({ role, parts }) => ({
      role: role === 'user' ? ('user' as const) : ('model' as const),
      text: recordsIn(parts).map(textOf).join(''),
    })),
    systemPrompt: systemText,
    media: contents.flatMap(mediaIn),
    urls: pageUrls,
    ...formOf(body),
    whole: JSON.stringify(body),
  } as const;
  return carried;
}

function formOf(body: unknown): Pick<CarriedContext, 'answerSchema' | 'thinking' | 'serviceTier'> {
  const config = isJsonRecord(body) && isJsonRecord(body['generationConfig']) ? body['generationConfig'] : {};
  const { responseJsonSchema: answerSchema, thinkingConfig } = config;
  const tier = isJsonRecord(body) ? body['service_tier'] : undefined;
  return {
    ...(tier !== undefined && { serviceTier: `${tier}` }),
    ...(answerSchema !== undefined && { answerSchema }),
    ...(thinkingConfig !== undefined && { thinking: JSON.stringify(thinkingConfig) }),
  };
}

function textOf({ text }: JsonRecord): string {
  return typeof text === 'string' ? text : '';
}

function mediaIn({ parts }: RequestContent): readonly Pick<InlineMedia, 'mediaType' | 'bytes'>[] {
  return recordsIn(parts).flatMap((part) => {
    // The API accepts names in either case.
    const media = part['inlineData'] ?? part['inline_data'];
    if (!isJsonRecord(media)) {
      return [];
    }
    const { data, mimeType = media['mime_type'] } = media;
    return [{ mediaType: `${mimeType}`, bytes: new Uint8Array(Buffer.from(`${data}`, 'base64')) }];
  });
}
