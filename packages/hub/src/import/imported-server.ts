/** The clients whose settings are read. */
export const importNames = ['gemini-cli', 'claude-code', 'claude-desktop', 'vscode', 'cursor', 'codex'] as const;

export type ImportName = (typeof importNames)[number];

/** A server of another client's settings, as ours would have it. */
export type ImportedServer = {
  /** As that client's user named it. */
  readonly name: string;
  readonly entry: Readonly<Record<string, unknown>>;
  /** What is not taken over, or works otherwise here: sentences for a user. */
  readonly remarks: readonly string[];
};

export type ImportedSettings = {
  readonly servers: readonly ImportedServer[];
  /** Why something could not be read: sentences for a user. */
  readonly problems: readonly string[];
};
