/** The AI clients that `--print-config` has settings for. */
export const clientNames = [
  'claude-code',
  'claude-desktop',
  'codex',
  'cursor',
  'vscode',
  'gemini-cli',
  'windsurf',
  'opencode',
  'copilot-cli',
  'qwen-code',
  'cline',
  'continue',
  'antigravity',
  'zed',
  'kiro',
  'lm-studio',
] as const;

export type ClientName = (typeof clientNames)[number];

/** Whether a name is one of a list. */
export function isNameOf<Name extends string>(names: readonly Name[], name: string): name is Name {
  return names.some((known) => known === name);
}
