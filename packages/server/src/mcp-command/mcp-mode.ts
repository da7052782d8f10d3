/** A command of a user at a terminal for other MCP servers. Its words are read late: a start does not need what reads them. */
export type McpMode = {
  readonly kind: 'mcp';
  /** All that comes after `mcp`, as it was given. */
  readonly words: readonly string[];
};
