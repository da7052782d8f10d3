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
  /** One that `makeBlocksSafe` has looked at. */
  | { readonly block: ContentBlock }
);

export type PromptText = {
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
};

/** One prompt, without anything of the protocol: what a person calls by a slash command, for the client's model to read. */
export type Prompt = {
  /** Kebab case: clients make a command of it, such as `/mcp__gemini__review`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  /**
   * The messages for the model. It is called with declared arguments only, every required one among them and none blank,
   * each at most 20,000 characters. An exception is a bug, of which the client learns no more than that it happened.
   */
  get(args: Readonly<Record<string, string>>, context: SurfaceContext): Promise<PromptText>;
};

export type CompletionContext = SurfaceContext & {
  /** Other arguments of the same prompt or template that have their values already, as far as the client tells them. */
  readonly given: Readonly<Record<string, string>>;
};

/** The first values of more than one can tell. */
export type Suggestions = {
  readonly values: readonly string[];
  /** How many there are; null where that is not known. */
  readonly total: number | null;
  readonly hasMore: boolean;
};

/**
 * Suggests values for one argument, given its beginning as typed so far, the best first; those beyond the first 100 are only
 * counted. An exception is a bug, of which the client learns no more than that it happened.
 */
export type Completer = (value: string, context: CompletionContext) => Promise<readonly string[] | Suggestions>;
