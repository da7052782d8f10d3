import { plainRunSettings, type RunRequest, systemPromptOf } from '@gemini-mcp/core';

/** The body of `streamGenerateContent` (`GenerateContentRequest` of the Gemini API, v1beta) for a request, as JSON. */
export function requestBody({ input, history = [], media = [], settings = plainRunSettings }: RunRequest): string {
  const systemPrompt = systemPromptOf(settings);
  const inline = media.map(({ mediaType, bytes }) => ({
    inlineData: {
      mimeType: mediaType,
      data: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
    },
  }));
  const before = history.map(({ role, text }) => ({ role, parts: [{ text }] }));
  return JSON.stringify({
    // What stays the same between calls comes first: Google's cache takes only equal beginnings.
    ...(systemPrompt !== null && { systemInstruction: { parts: [{ text: systemPrompt }] } }),
    contents: [...before, { role: 'user', parts: [...inline, { text: input }] }],
  });
}
