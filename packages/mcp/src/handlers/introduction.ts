import type { JsonObject } from '../input/tool-input.ts';
import type { Introduction, McpServerOptions } from './mcp-server-options.ts';

const instructions = `Lends you Google's Gemini, a second model with a large context. Files, code review, a second opinion: gemini_query, \
with names of files, not contents. The web: googleSearch. Conversations: chat. A server may offer only some of these. More: gemini://manual.`;

const geminiIntroduction: Introduction = { name: 'gemini-mcp-server', title: 'Gemini', instructions };

/** How a server introduces itself: as gemini-mcp-server unless it is another one. */
export function introductionOf({
  introduction = geminiIntroduction,
}: Pick<McpServerOptions, 'introduction'>): Introduction {
  return introduction;
}

/** The server's capabilities, which both eras of the protocol write in one form. */
export function capabilitiesOf(
  { onlyTools = false }: Pick<McpServerOptions, 'onlyTools'>,
  canChange: boolean,
): JsonObject {
  const lists = canChange ? { listChanged: true } : {};
  return { tools: lists, ...(!onlyTools && { prompts: lists, resources: lists, completions: {} }) };
}
