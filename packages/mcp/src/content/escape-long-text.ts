import { setImmediate } from 'node:timers/promises';
import { EscapedControls } from '@gemini-mcp/core/internal';

/** Takes a few milliseconds. */
const pieceCharacters = 500_000;

/** `escapeControls` for text of any length: yields to other calls between pieces of a long text. */
export async function escapeLongText(text: string): Promise<string> {
  const escaped = new EscapedControls();
  let whole = '';
  for (let start = 0; start < text.length; start += pieceCharacters) {
    if (start > 0) {
      await setImmediate();
    }
    whole += escaped.push(text.slice(start, start + pieceCharacters));
  }
  return whole + escaped.end();
}
