import type { FailureKind } from '@gemini-mcp/core';

/** An error of a Google API as seen in the wild, and its meaning. */
export type RecordedError = {
  /** Where such an answer was seen or is documented. Names, numbers and keys are not the reporters' own. */
  readonly origin: string;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  /** Its meaning to a caller, for an adapter's own table. */
  readonly failure: { readonly kind: FailureKind; readonly [detail: string]: unknown };
};
