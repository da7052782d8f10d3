import type { ConversationTurn } from '@gemini-mcp/core';

/** The CLI gives an imported session its own id and project; the file only has to name some. */
const importedId = '00000000-0000-4000-8000-000000000000';

/**
 * An earlier conversation as a session file of Gemini CLI 0.61.0, which `--session-file` imports under a new id, and `session/load` under
 * its own.
 *
 * Each text is one part marked as not a thought. Without the mark the CLI leaves out every user turn that is blank or begins with `/`,
 * `?`, `<session_context>` or `<hook_context>`, and joins the answers around it. Its reader also takes U+2028 and U+2029 for ends of
 * lines, so these are escaped.
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

/** An empty answer would drop the question before it, and the API rejects empty parts. */
function deliverable(text: string): string {
  return text === '' ? ' ' : text;
}

function toLine(record: unknown): string {
  return JSON.stringify(record).replace(/[\u2028\u2029]/g, (end) => (end === '\u2028' ? '\\u2028' : '\\u2029'));
}

/** Above this length the CLI ignores the kind of characters in a text. */
const shortTextCharacters = 100_000;

/** The weight of a character beyond ASCII in a short text, where an ASCII character weighs 1. */
const wideWeight = 6;

/** The CLI's estimate of the context window that texts fill, in characters of ASCII. It decides whether the CLI sends a request at all. */
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
