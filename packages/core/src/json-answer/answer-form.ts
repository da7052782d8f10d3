/** The form in which an answer is wanted: JSON by a schema. */
export type AnswerForm = {
  /** JSON Schema, as the caller gave it. */
  readonly schema: Readonly<Record<string, unknown>>;
  /**
   * What of a value does not fit the schema, in our own words: a line for each problem, with what is quoted of the value shortened
   * and escaped. Null where it fits. Never throws, and takes a bounded time, whatever the schema.
   */
  readonly findProblem: (value: unknown) => string | null;
};
