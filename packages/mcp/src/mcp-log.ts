/** Something that the owner of the server may want to know and the client must not see in full. */
export type McpLogEntry = {
  readonly event: 'tool-threw' | 'tools-unavailable' | 'protocol-error';
  /** What the client was told in place of the error; null where it was told nothing. */
  readonly correlationId: string | null;
  readonly toolName: string | null;
  /** As it was thrown: may hold paths, prompts and stacks. */
  readonly error: unknown;
};

export type McpLog = (entry: McpLogEntry) => void;
