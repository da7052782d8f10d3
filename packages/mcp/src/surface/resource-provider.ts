import { isUnreadableStore } from '@gemini-mcp/core/internal';
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

/** A URI template, for clients that let a person fill in the variables. */
export type ResourceTemplate = Omit<ResourceEntry, 'uri'> & {
  /** By RFC 6570, such as `gemini://sessions/{id}`. */
  readonly uriTemplate: string;
  /** Keyed by the name of the variable. */
  readonly complete: Readonly<Record<string, Completer>>;
};

export type ResourceText = {
  readonly mimeType: string;
  readonly text: string;
};

/** One part of a resource that has several parts or holds bytes. */
export type ResourceContent = { readonly uri: string; readonly mimeType: string } & (
  | { readonly text: string }
  /** Base64. */
  | { readonly blob: string }
);

/** A resource in parts. */
export type ResourceContents = { readonly contents: readonly ResourceContent[] };

/** Resources that belong together, independent of the protocol. An exception is a bug, and only the log gets it. */
export type ResourceProvider = {
  readonly templates: readonly ResourceTemplate[];
  /** The owner's resources, the newest ones if there are many: templates lead to the rest. */
  list(context: SurfaceContext): Promise<readonly ResourceEntry[]>;
  /** Null if the URI belongs to another provider or this owner has no such resource. URIs have at most 1,000 characters. */
  read(uri: string, context: SurfaceContext): Promise<ResourceText | ResourceContents | null>;
};

/** Entries of a store, or none if it cannot be read: the list of everything else goes on, and the page about the store says why. */
export async function listIfReadable<Entry>(listing: Promise<readonly Entry[]>): Promise<readonly Entry[]> {
  try {
    return await listing;
  } catch (error) {
    if (isUnreadableStore(error)) {
      return [];
    }
    throw error;
  }
}

const markdownType = 'text/markdown';

export function markdown(...blocks: readonly string[]): ResourceText {
  return { mimeType: markdownType, text: `${blocks.join('\n\n')}\n` };
}

/** A stranger's title within our own line: short, quoted, and without the marks that make links, code or HTML. */
export function quoteTitle(title: string): string {
  return quoteValue(title).replace(/[[\]<>`*_|\\]/g, (mark) => `\\${mark}`);
}

export function formatTime(atMs: number): string {
  return new Date(atMs)
    .toISOString()
    .replace('T', ' ')
    .replace(/:\d\d\.\d+Z$/, ' UTC');
}
