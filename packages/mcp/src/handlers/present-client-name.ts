import { escapeName } from '@gemini-mcp/core/internal';

const maxCharacters = 100;

/** A client's own name, fit for logs and for tools. */
export function presentClientName(name: string | null): string | null {
  return name === null ? null : escapeName(name.slice(0, maxCharacters));
}
