import { excerptFrom, type GeminiFailure, type RunRequest } from '@gemini-mcp/core';
import { isWebAddress } from '@gemini-mcp/core/internal';

/** Why the pages of a request cannot be read: one has no address of the web. Written into a list, it could be anything else. */
export function refusePages({ urls = [] }: Pick<RunRequest, 'urls'>): GeminiFailure | null {
  const wrong = urls.find((url) => !isWebAddress(url));
  return wrong === undefined
    ? null
    : { kind: 'invalid-input', excerpt: excerptFrom(`This is no address of http or https: ${JSON.stringify(wrong)}`) };
}
