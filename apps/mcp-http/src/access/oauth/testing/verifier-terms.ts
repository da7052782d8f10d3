const nowMs = 1_800_000_000_000;

type VerifierTerms = {
  readonly audience: string;
  readonly nowMs: number;
  readonly nowSeconds: number;
  readonly clock: { readonly now: () => number };
};

/** Whom the tokens of tests are for, and the time at which they are verified. */
export const verifierTerms: VerifierTerms = {
  audience: 'https://gemini.example.com/mcp',
  nowMs,
  nowSeconds: nowMs / 1_000,
  clock: { now: () => nowMs },
};
