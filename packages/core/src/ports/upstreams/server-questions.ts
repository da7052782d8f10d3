/** A question that an upstream asks its user during a call. */
export type ServerQuestion =
  | {
      readonly type: 'form';
      /** The user's name for it. */
      readonly server: string;
      /** Begins with the server's name; the server's text is capped, and its control characters are made visible. */
      readonly message: string;
      /** JSON Schema of the form, as the server wrote it: an object of simple values. */
      readonly schema: Readonly<Record<string, unknown>>;
    }
  /** Asks the user to open an address. It is shown and never opened automatically. */
  | { readonly type: 'url'; readonly server: string; readonly message: string; readonly url: string };

export type ServerAnswer =
  | {
      readonly action: 'accept';
      /** The values of the form; empty for an address. */
      readonly content: Readonly<Record<string, string | number | boolean | readonly string[]>>;
    }
  | { readonly action: 'decline' | 'cancel' };

/** Passes upstreams' questions on to the user. Implementations must answer soon after an abort and never reject. */
export interface ServerQuestions {
  ask(question: ServerQuestion, signal: AbortSignal): Promise<ServerAnswer>;
}
