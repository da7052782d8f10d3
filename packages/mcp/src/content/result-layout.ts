import { maxResultBytes } from '@gemini-mcp/core/internal';

/** How a result reaches the model of a client. */
export type ResultLayout = {
  /** The text of one result in bytes; a longer one is put aside or cut by the client. */
  readonly pageBytes: number;
  /** Whether the note on the rest comes before the text, for clients that show the beginning of a result only. */
  readonly isNoteFirst: boolean;
  /** Whether a result has `_meta`. Without it if the client shows its model the whole result as JSON. */
  readonly hasMeta: boolean;
  /** Whether the client puts blocks together without a line end between them, so that our text needs one of its own. */
  readonly joinsBlocks: boolean;
};

const usual: ResultLayout = { pageBytes: maxResultBytes, isNoteFirst: false, hasMeta: true, joinsBlocks: false };

/**
 * By the name in `clientInfo`, in lower case, or its beginning up to a dash. Measured with 300,000 characters in November 2026. Claude Code, Codex, Gemini
 * CLI, opencode and Continue show a usual page whole.
 */
const layouts: readonly (readonly [name: string, layout: ResultLayout])[] = [
  // Puts more than 20 KB into a file, and shows 500 characters of it.
  ['copilot-cli', { ...usual, pageBytes: 18_000, isNoteFirst: true, joinsBlocks: true }],
  ['github-copilot-developer', { ...usual, pageBytes: 18_000, isNoteFirst: true, joinsBlocks: true }],
  // Puts 37 KB into a file, and shows 2 KB of it.
  ['qwen-cli-mcp-client', { ...usual, pageBytes: 18_000, isNoteFirst: true }],
  ['qwen-code', { ...usual, pageBytes: 18_000, isNoteFirst: true }],
  // Cuts the middle out of the JSON of a result of more than 8,000 characters.
  ['cline', { ...usual, pageBytes: 6_500, isNoteFirst: true, hasMeta: false }],
  ['@cline/core', { ...usual, pageBytes: 6_500, isNoteFirst: true, hasMeta: false }],
];

/** The layout for a client; with `pageBytes`, which the operator sets, in place of its own. */
export function layoutFor(clientName: string | null, pageBytes?: number | null): ResultLayout {
  const name = clientName?.toLowerCase() ?? '';
  const known = layouts.find(([each]) => name === each || name.startsWith(`${each}-`));
  const layout = known?.[1] ?? usual;
  return pageBytes === undefined || pageBytes === null ? layout : { ...layout, pageBytes };
}
