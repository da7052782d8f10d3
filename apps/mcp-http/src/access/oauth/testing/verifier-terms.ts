const nowMs = 1_800_000_000_000;

type VerifierTerms = {
  readonly audience: string;
  readonly nowMs: number;
  readonly nowSeconds: number;
  readonly clock: { readonly now: () => number };
};

/** The audience of test tokens, and the time of verification. */
export const verifierTerms: VerifierTerms = {
  audience: 'https://gemini.example.com/mcp',
  nowMs,
  nowSeconds: nowMs / 1_000,
  clock: { now: () => nowMs },
};
