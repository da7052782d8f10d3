/** A tool as its server describes it. */
export type ListedTool = {
  readonly name: string;
  readonly title: string | null;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema: Readonly<Record<string, unknown>> | null;
  /** The server's claims about the tool. They grant nothing. */
  readonly annotations: Readonly<Record<string, unknown>>;
};

export type ListedPrompt = {
  readonly name: string;
  readonly title: string | null;
  readonly description: string;
  readonly arguments: readonly {
    readonly name: string;
    readonly description: string;
    readonly isRequired: boolean;
  }[];
};

export type ListedResource = {
  /** The address, or a template's URI pattern. */
  readonly uri: string;
  readonly isTemplate: boolean;
  readonly name: string;
  readonly title: string | null;
  readonly description: string;
  readonly mediaType: string | null;
};

/** Everything that a server lists, in its order, at one point in time. */
export type ServerLists = {
  readonly tools: readonly ListedTool[];
  readonly prompts: readonly ListedPrompt[];
  readonly resources: readonly ListedResource[];
  /** The server's instructions for a model; null if missing. */
  readonly instructions: string | null;
  /** The omitted entries and the reasons: sentences for a user. */
  readonly leftOut: readonly string[];
  /** Milliseconds since the epoch. */
  readonly takenAtMs: number;
};
