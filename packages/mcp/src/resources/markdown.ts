import { quoteValue } from '../quote-value.ts';
import type { ResourceText } from './resource-shelf.ts';

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
