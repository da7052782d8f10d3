/** An event that the owner of the server may want to know and the client must not see in full. */
export type McpLogEntry = {
  readonly event:
    | 'tool-threw'
    | 'prompt-threw'
    | 'resource-threw'
    | 'completion-threw'
    | 'surface-unavailable'
    | 'client-roots-unknown'
    | 'protocol-error';
  /** The id that the client got instead of the error; null if it got none. */
  readonly correlationId: string | null;
  /** Our own name of the tool or prompt in question; null if missing. */
  readonly subject: string | null;
  /** As thrown: may contain paths, prompts and stacks. */
  readonly error: unknown;
};

export type McpLog = (entry: McpLogEntry) => void;
