/** The clients whose settings `mcp import` reads. */
export const importNames = [
  'gemini-cli',
  'claude-code',
  'claude-desktop',
  'vscode',
  'cursor',
  'codex',
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

export type ImportName = (typeof importNames)[number];

/** Whether a client is the Gemini CLI or descends from it: its entries have the members and references of ours. */
export function isGeminiLike(client: ImportName): client is 'gemini-cli' | 'qwen-code' {
  return client === 'gemini-cli' || client === 'qwen-code';
}
