import type { Command } from '../process/contained-command.ts';

/** A Gemini CLI that was found, ready to be started. */
export type GeminiCli = {
  /** The command without flags: the executable, or this Node with the package's entry. */
  readonly command: Command;
  /** Where it really lies, links resolved. */
  readonly path: string;
  /** Null where no package.json of it could be found. */
  readonly version: string | null;
  readonly foundBy: 'GEMINI_MCP_CLI' | 'PATH' | 'npx';
};

export type GeminiCliLocation =
  | { readonly found: true; readonly cli: GeminiCli }
  /** Says, in our words, where was looked, or what the system has run out of, so that nobody could look. */
  | { readonly found: false; readonly detail: string; readonly isShortage?: true };
