import { escapeControls } from './escape-controls.ts';

/**
 * Untrusted text, fenced so that neither a reader nor a model takes it for ours: each line is marked, so that nothing in it can close the fence, and
 * characters that could act on a terminal are escaped.
 */
export function quoteStrangers(text: string): string {
  return escapeControls(text.replace(/\r\n?/g, '\n'))
    .split('\n')
    .map((line) => `| ${line}`)
    .join('\n');
}
