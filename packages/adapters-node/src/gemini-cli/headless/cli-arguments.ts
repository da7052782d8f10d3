export type CliArgumentsOptions = {
  readonly model: string;
  /** Null for a run that may do everything. */
  readonly policyFile: string | null;
  /** Null for a conversation that begins. */
  readonly sessionFile: string | null;
  /** Directories besides the one that the CLI runs in. */
  readonly includedDirectories: readonly string[];
  readonly sandbox: boolean;
  /** The MCP server that the run may use; null for none. */
  readonly server: string | null;
};

/**
 * The flags of one headless call, all in `--flag=value` form: a value can then not be taken for a flag, and nothing of a
 * caller is ever positional. `none` names no MCP server and no extension, which is how the CLI is told to use none.
 */
export function buildCliArguments(options: CliArgumentsOptions): readonly string[] {
  const { model, policyFile, sessionFile, includedDirectories, sandbox, server } = options;
  return [
    `--model=${model}`,
    '--output-format=stream-json',
    // The first is obeyed where the system has policies of its own. The second beats those of a user.
    ...(policyFile === null ? ['--approval-mode=yolo'] : [`--policy=${policyFile}`, `--admin-policy=${policyFile}`]),
    `--allowed-mcp-server-names=${server ?? 'none'}`,
    '--extensions=none',
    ...(sessionFile === null ? [] : [`--session-file=${sessionFile}`]),
    ...includedDirectories.map((directory) => `--include-directories=${directory}`),
    ...(sandbox ? ['--sandbox'] : []),
  ];
}
