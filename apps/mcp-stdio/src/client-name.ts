/** The clients for which `--print-config` has something. */
export const clientNames = [
  'claude-code',
  'claude-desktop',
  'codex',
  'cursor',
  'vscode',
  'gemini-cli',
  'windsurf',
] as const;

export type ClientName = (typeof clientNames)[number];

export function isClientName(name: string): name is ClientName {
  return clientNames.some((known) => known === name);
}
