import { plainRunSettings, type RunRequest, systemPromptOf } from '@gemini-mcp/core';

/** A `GenerateContentRequest` of the Gemini API (v1beta), without its model. */
export type RequestBody = Readonly<Record<string, unknown>>;

/** The body of `streamGenerateContent` for a request. */
export function requestBody({ input, history = [], media = [], settings = plainRunSettings }: RunRequest): RequestBody {
  const systemPrompt = systemPromptOf(settings);
  const inline = media.map(({ mediaType, bytes }) => ({
    inlineData: {
      mimeType: mediaType,
      data: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
    },
  }));
  const before = history.map(({ role, text }) => ({ role, parts: [{ text }] }));
  return {
    // What stays the same between calls comes first: Google's cache takes only equal beginnings. The text ends with the prompt,
    // so the media come before it.
    ...(systemPrompt !== null && { systemInstruction: { parts: [{ text: systemPrompt }] } }),
    contents: [...before, { role: 'user', parts: [...inline, { text: input }] }],
  };
}
