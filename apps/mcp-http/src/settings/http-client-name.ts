/** The clients for which `--print-config` of the HTTP server has something. */
export const httpClientNames = [
  'claude-code',
  'claude-desktop',
  'codex',
  'cursor',
  'vscode',
  'gemini-cli',
  'windsurf',
  'curl',
] as const;

export type HttpClientName = (typeof httpClientNames)[number];

export function isHttpClientName(name: string): name is HttpClientName {
  return httpClientNames.some((known) => known === name);
}
