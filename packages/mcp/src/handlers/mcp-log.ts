/** Something that the owner of the server may want to know and the client must not see in full. */
export type McpLogEntry = {
  readonly event:
    | 'tool-threw'
    | 'prompt-threw'
    | 'resource-threw'
    | 'completion-threw'
    | 'surface-unavailable'
    | 'client-roots-unknown'
    | 'protocol-error';
  /** What the client was told in place of the error; null where it was told nothing. */
  readonly correlationId: string | null;
  /** The tool or prompt in question, by its name of ours; null where there is none. */
  readonly subject: string | null;
  /** As it was thrown: may hold paths, prompts and stacks. */
  readonly error: unknown;
};

export type McpLog = (entry: McpLogEntry) => void;
