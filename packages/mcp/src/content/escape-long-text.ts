import { setImmediate } from 'node:timers/promises';
import { EscapedControls } from '@gemini-mcp/core/internal';

/** Some milliseconds of work. */
const pieceCharacters = 500_000;

/** `escapeControls` for texts of any length: other calls go on between the pieces of one that is long. */
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
