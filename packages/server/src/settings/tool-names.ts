/** The tools that this server can offer, by the names that clients see. */
export const toolNames: readonly string[] = [
  'gemini_query',
  'gemini_context',
  'gemini_read',
  'gemini_job',
  'chat',
  'chat-reply',
  'chat-delete',
  'geminiChat',
  'googleSearch',
];
