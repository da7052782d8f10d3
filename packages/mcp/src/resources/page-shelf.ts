import type { SurfaceContext } from '../surface-context.ts';
import type { ResourceEntry, ResourceShelf } from './resource-shelf.ts';

/** A single page, the same for every reader. */
export type ResourcePage = Omit<ResourceEntry, 'mimeType'> & {
  /** Writes it again for each reader, as Markdown. */
  readonly write: (context: SurfaceContext) => string | Promise<string>;
};

/** Pages with fixed URIs. */
export function createPageShelf(pages: readonly ResourcePage[]): ResourceShelf {
  return {
    templates: [],
    list: () => Promise.resolve(pages.map(({ write: _, ...page }) => ({ ...page, mimeType: 'text/markdown' }))),
    read: async (uri, context) => {
      const page = pages.find((each) => each.uri === uri);
      return page === undefined ? null : { mimeType: 'text/markdown', text: await page.write(context) };
    },
  };
}
