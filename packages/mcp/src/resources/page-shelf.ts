import type { ResourceEntry, ResourceShelf } from './resource-shelf.ts';

/** A single page, the same for every reader. */
export type ResourcePage = Omit<ResourceEntry, 'mimeType'> & {
  /** Writes it again for each reader, as Markdown. */
  readonly write: () => string;
};

/** Pages with fixed URIs. */
export function createPageShelf(pages: readonly ResourcePage[]): ResourceShelf {
  return {
    templates: [],
    list: () => Promise.resolve(pages.map(({ write: _, ...page }) => ({ ...page, mimeType: 'text/markdown' }))),
    read: (uri) => {
      const page = pages.find((each) => each.uri === uri);
      return Promise.resolve(page === undefined ? null : { mimeType: 'text/markdown', text: page.write() });
    },
  };
}
