import type { FailureKind } from '@gemini-mcp/core';

/** How an API of Google's says that something went wrong, as seen in the wild, and what it means. */
export type RecordedError = {
  /** Where such an answer was seen or is documented. Names, numbers and keys are not those of the people whom it met. */
  readonly origin: string;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  /** What it means to a caller, for an adapter's table of its own. */
  readonly failure: { readonly kind: FailureKind; readonly [detail: string]: unknown };
};
