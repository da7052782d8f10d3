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

/** What Google's page on thought signatures gives for a call that came without one, and what its Gemini CLI (0.61.0) sends. */
const noSignature = 'skip_thought_signature_validator';

/** The models before Gemini 3 check no signatures. An alias such as `gemini-pro-latest` stands for a newer one. */
const uncheckedModels = /^(?:gemini-[12](?!\d)|gemma-)/;

export type AnsweredTurn = {
  /** Of the model, as they came. */
  readonly parts: readonly JsonObject[];
  readonly answered: readonly AnsweredCall<FunctionCall & LentCall>[];
};

/** A turn of the model with its calls, and the one that answers it: in the form of `contents`. */
export function functionTurns({ parts, answered }: AnsweredTurn, model: string): readonly JsonObject[] {
  const responses = answered.map(({ call: { id, name }, result: { text, isDone } }) => ({
    functionResponse: { ...(id !== undefined && { id }), name, response: isDone ? { output: text } : { error: text } },
  }));
  const media = answered
    .flatMap(({ result }) => result.media ?? [])
    .map(({ mediaType, bytes }) => ({
      inlineData: { mimeType: mediaType, data: new Base64Data(bytes) },
    }));
  return [
    { role: 'model', parts: uncheckedModels.test(model) ? parts : withSignature(parts) },
    { role: 'user', parts: [...responses, ...media] },
  ];
}

/** Of calls made together, only the first has to have one. */
function withSignature(parts: readonly JsonObject[]): readonly JsonObject[] {
  const first = parts.findIndex(({ functionCall }) => functionCall !== undefined);
  return parts.map((part, index) => (index === first ? { thoughtSignature: noSignature, ...part } : part));
}
