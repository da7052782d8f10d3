import { createHash } from 'node:crypto';

/** Of 63, which the Gemini CLI takes whole, it needs nine for `mcp_lend_`. */
const maxCharacters = 54;

const keptCharacters = maxCharacters - 9;

/** A name that the Gemini CLI neither cuts nor takes for another: the same for the same name. */
export function shortName(name: string): string {
  return name.length <= maxCharacters
    ? name
    : `${name.slice(0, keptCharacters)}_${createHash('sha256').update(name).digest('hex').slice(0, 8)}`;
}
