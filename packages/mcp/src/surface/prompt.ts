import type { ContentBlock } from '../content/content-block.ts';
import type { SurfaceContext } from './surface-context.ts';

export type PromptArgument = {
  /** Snake case, as clients show it to people who fill it in. */
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly complete?: Completer;
};

export type PromptMessage = { readonly role: 'user' | 'assistant' } & (
  | { readonly text: string }
  /** A block that `makeBlocksSafe` has checked. */
  | { readonly block: ContentBlock }
);

export type PromptText = {
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
};

/** One prompt, independent of the protocol: a person calls it as a slash command, and the client's model reads its text. */
export type Prompt = {
  /** Kebab case: clients turn it into a command such as `/mcp__gemini__review`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  /**
   * The messages for the model. Gets declared arguments only: every required one, none blank, each at most 20,000 characters. An
   * exception is a bug; the client learns only that it happened.
   */
  get(args: Readonly<Record<string, string>>, context: SurfaceContext): Promise<PromptText>;
};

export type CompletionContext = SurfaceContext & {
  /** Values already given for other arguments of the same prompt or template, if the client sends them. */
  readonly given: Readonly<Record<string, string>>;
};

/** The first of all values. */
export type Suggestions = {
  readonly values: readonly string[];
  /** The total number of values; null if unknown. */
  readonly total: number | null;
  readonly hasMore: boolean;
};

/**
 * Suggests values for one argument from its beginning as typed so far, best first. Values beyond the first 100 are only counted. An
 * exception is a bug; the client learns only that it happened.
 */
export type Completer = (value: string, context: CompletionContext) => Promise<readonly string[] | Suggestions>;
