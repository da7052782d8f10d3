/** What another MCP server asks its user in the middle of a call. */
export type ServerQuestion =
  | {
      readonly type: 'form';
      /** As the user named it. */
      readonly server: string;
      /** Begins with the server's name; what the server wrote in it is capped, with controls made visible. */
      readonly message: string;
      /** The JSON Schema of the form, as the server wrote it: an object of simple values. */
      readonly schema: Readonly<Record<string, unknown>>;
    }
  /** The user is to open an address. It is shown, and never opened by us. */
  | { readonly type: 'url'; readonly server: string; readonly message: string; readonly url: string };

export type ServerAnswer =
  | {
      readonly action: 'accept';
      /** The values of the form; empty for an address. */
      readonly content: Readonly<Record<string, string | number | boolean | readonly string[]>>;
    }
  | { readonly action: 'decline' | 'cancel' };

/** Passes questions of other servers on to the user. An implementer owes an answer soon after an abort, and never rejects. */
export interface ServerQuestions {
  ask(question: ServerQuestion, signal: AbortSignal): Promise<ServerAnswer>;
}
