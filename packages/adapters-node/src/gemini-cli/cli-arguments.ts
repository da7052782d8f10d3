export type CliArgumentsOptions = {
  readonly model: string;
  readonly policyFile: string;
};

/**
 * The flags of one headless call, all in `--flag=value` form: a value can then not be taken for a flag, and nothing of a
 * caller is ever positional. `none` names no MCP server and no extension, which is how the CLI is told to use none.
 */
export function buildCliArguments({ model, policyFile }: CliArgumentsOptions): readonly string[] {
  return [
    `--model=${model}`,
    '--output-format=stream-json',
    `--policy=${policyFile}`,
    '--allowed-mcp-server-names=none',
    '--extensions=none',
  ];
}
