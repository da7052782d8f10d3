import type { ConversationTurn } from '@gemini-mcp/core';

/** The CLI gives a session that it imports an id and a project of its own; the file only has to name some. */
const importedId = '00000000-0000-4000-8000-000000000000';

/**
 * An earlier conversation as a session file of Gemini CLI 0.61.0, which `--session-file` imports under a new id, and
 * `session/load` under its own.
 *
 * Each text is one part that says of itself that it is no thought. Without that the CLI leaves out every turn of the user's
 * that is blank or begins with `/`, `?`, `<session_context>` or `<hook_context>`, and joins the answers around it. Its
 * reader also takes U+2028 and U+2029 for ends of lines, so these are escaped.
 */
export function buildSessionFile(history: readonly ConversationTurn[], sessionId: string = importedId): string {
  const timestamp = new Date(0).toISOString();
  const head = {
    sessionId,
    projectHash: importedId,
    startTime: timestamp,
    lastUpdated: timestamp,
    kind: 'main',
  };
  const messages = history.map(({ role, text }, index) => ({
    id: `turn-${index}`,
    timestamp,
    type: role === 'user' ? 'user' : 'gemini',
    content: [{ text: deliverable(text), thought: false }],
  }));
  return [head, ...messages].map((record) => `${toLine(record)}\n`).join('');
}

/** An empty answer would cost the question before it, and the API takes no empty part. */
function deliverable(text: string): string {
  return text === '' ? ' ' : text;
}

function toLine(record: unknown): string {
  return JSON.stringify(record).replace(/[\u2028\u2029]/g, (end) => (end === '\u2028' ? '\\u2028' : '\\u2029'));
}

/** Above this length the CLI no longer looks at what kind of characters a text holds. */
const shortTextCharacters = 100_000;

/** What a character beyond ASCII weighs in a short text, where one of ASCII weighs 1. */
const wideWeight = 6;

/**
 * How much of the context window the CLI takes texts for, in characters of ASCII: its own estimate, which decides whether it
 * sends a request at all.
 */
export function weighTexts(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + weigh(text), 0);
}

function weigh(text: string): number {
  if (text.length > shortTextCharacters) {
    return text.length;
  }
  let wide = 0;
  for (let index = 0; index < text.length; index += 1) {
    wide += text.charCodeAt(index) > 127 ? 1 : 0;
  }
  return text.length + wide * (wideWeight - 1);
}
