import { hostNearness, isWebAddress } from '@gemini-mcp/core/internal';
import * as z from 'zod';
import { deliverableText } from './deliverable-text.ts';

/** The API refuses a request with more addresses. */
const maxUrls = 20;
const maxCharacters = 2_000;

const description = 'Web pages to read.';

/**
 * Pages of the web that Google reads for an answer. It reaches no private network: such an address would tell it a name and get
 * nothing.
 */
export function pageUrls(): z.ZodOptional<z.ZodArray<z.ZodString>> {
  const address = deliverableText(maxCharacters).check((context) => {
    const problem = problemOf(context.value);
    if (problem !== null) {
      context.issues.push({ code: 'custom', message: problem, input: context.value });
    }
  });
  return z.array(address).max(maxUrls, { abort: true }).optional().describe(description);
}

function problemOf(text: string): string | null {
  if (!isWebAddress(text) || !URL.canParse(text)) {
    return 'must be an http or https address, without spaces';
  }
  const { username, password, hostname } = new URL(text);
  if (username !== '' || password !== '') {
    return 'must have no user name and no password: Google would get them';
  }
  return hostNearness(hostname) === 'public'
    ? null
    : 'must be an address of the public web: Google reads the page, and reaches neither this machine nor its network';
}
