/** The requested form of an answer: JSON that matches a schema. */
export type AnswerForm = {
  /** JSON Schema, as the caller gave it. */
  readonly schema: Readonly<Record<string, unknown>>;
  /**
   * How a value violates the schema, in our own words: one line for each problem, quoting the value shortened and escaped. Null if it matches. Never
   * throws, and takes a bounded time, whatever the schema.
   */
  readonly findProblem: (value: unknown) => string | null;
};
