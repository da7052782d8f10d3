/** A tool as its server describes it. */
export type ListedTool = {
  readonly name: string;
  readonly title: string | null;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema: Readonly<Record<string, unknown>> | null;
  /** What the server claims of the tool. Grants nothing. */
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
  /** An address, or of a template the pattern of its addresses. */
  readonly uri: string;
  readonly isTemplate: boolean;
  readonly name: string;
  readonly title: string | null;
  readonly description: string;
  readonly mediaType: string | null;
};

/** All that a server lists, in its order, as it was at a time. */
export type ServerLists = {
  readonly tools: readonly ListedTool[];
  readonly prompts: readonly ListedPrompt[];
  readonly resources: readonly ListedResource[];
  /** What the server says about itself, for a model; null where it says nothing. */
  readonly instructions: string | null;
  /** What was left out, and why: sentences for a user. */
  readonly leftOut: readonly string[];
  /** Milliseconds since the epoch. */
  readonly takenAtMs: number;
};
