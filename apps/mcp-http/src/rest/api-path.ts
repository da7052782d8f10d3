/** Where a tool is called: `geminiChat`, `gemini_query` and `chat-reply` become `gemini-chat`, `gemini-query`, `chat-reply`. */
export function apiPathOf(toolName: string): string {
  return toolName
    .replaceAll('_', '-')
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase();
}
