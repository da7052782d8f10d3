import type { SessionsMode } from '../sessions/sessions-mode.ts';

/** What a program was started for, and what its flags say. */
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
  | SessionsMode;
