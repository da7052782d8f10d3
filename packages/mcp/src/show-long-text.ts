import { setImmediate } from 'node:timers/promises';
import { ShownText, type ShownTextOptions } from '@gemini-mcp/core/internal';

/** Some milliseconds of work. */
const pieceCharacters = 500_000;

/** `showText` for texts of any length: other calls go on between the pieces of one that is long. */
export async function showLongText(text: string, options: ShownTextOptions): Promise<string> {
  const shown = new ShownText(options);
  let whole = '';
  for (let start = 0; start < text.length; start += pieceCharacters) {
    if (start > 0) {
      await setImmediate();
    }
    whole += shown.push(text.slice(start, start + pieceCharacters));
  }
  return whole + shown.end();
}
