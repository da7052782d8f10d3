import { isJsonRecord, type JsonRecord } from '../json-record.ts';
import { findSchemaRefusal } from './find-schema-refusal.ts';

/** Why the Gemini API refuses a `generationConfig` for this model; null if it accepts it or the request has no such field. */
export function findGenerationRefusal(model: string, config: unknown): string | null {
  if (!isJsonRecord(config)) {
    return null;
  }
  const { responseJsonSchema: schema, responseMimeType: mimeType, thinkingConfig: thinking } = config;
  if (isJsonRecord(schema)) {
    return mimeType === 'application/json'
      ? findSchemaRefusal(schema)
      : "For controlled generation of JSON, response_mime_type has to be 'application/json'.";
  }
  return isJsonRecord(thinking) ? findThinkingRefusal(model, thinking) : null;
}

function findThinkingRefusal(
  model: string,
  { thinkingLevel: level, thinkingBudget: budget }: JsonRecord,
): string | null {
  if (level !== undefined && budget !== undefined) {
    return 'You can only set only one of thinking budget and thinking level.';
  }
  if (model.startsWith('gemma-') && (level !== undefined || budget !== undefined)) {
    return 'Thinking is not enabled for this model.';
  }
  if (level !== undefined && model.startsWith('gemini-2.5-')) {
    return 'Thinking level is not supported for this model.';
  }
  return level === 'MEDIUM' && model.startsWith('gemini-3-pro')
    ? 'Thinking level MEDIUM is not supported for this model. Please retry with other thinking level.'
    : null;
}
