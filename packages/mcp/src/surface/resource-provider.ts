import { quoteValue } from '../content/quote-value.ts';
import type { Completer } from './prompt.ts';
import type { SurfaceContext } from './surface-context.ts';

/** One resource as a list shows it. */
export type ResourceEntry = {
  readonly uri: string;
  /** For programs. */
  readonly name: string;
  /** For people. */
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
};

/** A form of URIs, for clients that let a person fill in the variables. */
export type ResourceTemplate = Omit<ResourceEntry, 'uri'> & {
  /** By RFC 6570, such as `gemini://sessions/{id}`. */
  readonly uriTemplate: string;
  /** By the name of the variable. */
  readonly complete: Readonly<Record<string, Completer>>;
};

export type ResourceText = {
  readonly mimeType: string;
  readonly text: string;
};

/** One part of a resource that has several, or that is no text. */
export type ResourceContent = { readonly uri: string; readonly mimeType: string } & (
  | { readonly text: string }
  /** In Base64. */
  | { readonly blob: string }
);

/** A resource in parts. */
export type ResourceContents = { readonly contents: readonly ResourceContent[] };

/** Resources that belong together, without anything of the protocol. An exception is a bug, and only the log is told of it. */
export type ResourceProvider = {
  readonly templates: readonly ResourceTemplate[];
  /** What this owner finds here, a few newest ones where there are many: the rest is read by template. */
  list(context: SurfaceContext): Promise<readonly ResourceEntry[]>;
  /** Null for a URI that is none of this shelf's, or of which this owner has nothing. At most 1,000 characters come in. */
  read(uri: string, context: SurfaceContext): Promise<ResourceText | ResourceContents | null>;
};

const markdownType = 'text/markdown';

export function markdown(...blocks: readonly string[]): ResourceText {
  return { mimeType: markdownType, text: `${blocks.join('\n\n')}\n` };
}

/** A title by strangers inside of our own line: short, quoted, and without the marks that make links, code or HTML. */
export function quoteTitle(title: string): string {
  return quoteValue(title).replace(/[[\]<>`*_|\\]/g, (mark) => `\\${mark}`);
}

export function formatTime(atMs: number): string {
  return new Date(atMs)
    .toISOString()
    .replace('T', ' ')
    .replace(/:\d\d\.\d+Z$/, ' UTC');
}
