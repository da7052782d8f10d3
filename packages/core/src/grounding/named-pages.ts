import type { NamedPage, WebPage } from './web-page.ts';

/** What became of each page that a request named, and of others that were read because the prompt has their addresses. */
export function namedPages(urls: readonly string[], told: readonly WebPage[]): readonly NamedPage[] {
  const tried = new Set(told.map(({ url }) => url));
  const untold = [...new Set(urls)].filter((url) => !tried.has(url));
  return [...told, ...untold.map((url) => ({ url, outcome: 'untold' }) as const)];
}
