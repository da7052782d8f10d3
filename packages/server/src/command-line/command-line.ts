import type { ApprovalsMode } from '../approvals/approvals-mode.ts';
import type { McpMode } from '../mcp-command/mcp-mode.ts';
import type { SessionsMode } from '../sessions/sessions-mode.ts';

/** The mode of a program, and the values of its flags. */
export type CommandLine = {
  readonly mode: Mode;
  /** Values of settings, by the name of the flag. */
  readonly flags: ReadonlyMap<string, string>;
};

export type Mode =
  | { readonly kind: 'serve' }
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | { readonly kind: 'print-config'; readonly client: string }
  | { readonly kind: 'doctor'; readonly json: boolean; readonly call: boolean }
  | SessionsMode
  | ApprovalsMode
  | McpMode;
