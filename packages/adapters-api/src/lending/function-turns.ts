import type { AnsweredCall, LentCall, LentTool } from '@gemini-mcp/core';
import { toGeminiSchema } from '@gemini-mcp/core/internal';
import type { JsonObject } from '../json-object.ts';
import { Base64Data } from '../json-upload.ts';
import type { FunctionCall } from './function-call-reader.ts';

/** The tools of a run as the API takes them (`tools`): it refuses a list of functions that is empty. */
export function declareFunctions(tools: readonly LentTool[]): readonly JsonObject[] {
  const functionDeclarations = tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    parametersJsonSchema: toGeminiSchema(inputSchema),
  }));
  return functionDeclarations.length === 0 ? [] : [{ functionDeclarations }];
}

/** A turn of the model with its calls, and the one that answers it: in the form of `contents`. */
export function functionTurns(
  parts: readonly JsonObject[],
  answered: readonly AnsweredCall<FunctionCall & LentCall>[],
): readonly JsonObject[] {
  const responses = answered.map(({ call: { id, name }, result: { text, isDone } }) => ({
    functionResponse: { ...(id !== undefined && { id }), name, response: isDone ? { output: text } : { error: text } },
  }));
  const media = answered
    .flatMap(({ result }) => result.media ?? [])
    .map(({ mediaType, bytes }) => ({
      inlineData: { mimeType: mediaType, data: new Base64Data(bytes) },
    }));
  return [
    { role: 'model', parts },
    { role: 'user', parts: [...responses, ...media] },
  ];
}
