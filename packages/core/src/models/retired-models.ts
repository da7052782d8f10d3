/** A model that Google shuts down, or has shut down. */
type RetiredModel = {
  readonly model: string;
  /** The first day without service, as Google wrote it. */
  readonly day: string;
  /** The model that answers requests for it from then on, at its own price. */
  readonly replacement: string;
};

/** For the Gemini API, from Google's page on deprecations as of 2026-11-10. Vertex AI has dates of its own. */
const retiredModels: readonly RetiredModel[] = [
  { model: 'gemini-2.5-pro', day: '2026-12-01', replacement: 'gemini-3.8-flash' },
  { model: 'gemini-2.5-flash', day: '2026-12-01', replacement: 'gemini-3.5-flash-lite' },
];

/** The end of a model, for its users, in a sentence or two; null if no end is known. */
export function describeRetirement(model: string, nowMs: number): string | null {
  const retired = retiredModels.find((candidate) => candidate.model === model);
  if (retired === undefined) {
    return null;
  }
  const { day, replacement } = retired;
  const [verb, from] = nowMs < Date.parse(day) ? ['shuts', 'from then on'] : ['shut', 'since then'];
  const where = 'on the Gemini API (Vertex AI has dates of its own)';
  return `Google ${verb} ${model} down on ${day} ${where}: ${from} ${replacement} answers in its place, at its own price.`;
}
