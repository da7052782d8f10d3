import type { ZodType } from 'zod';

/** Reads a value out of the text of a variable or a flag. */
export type Schema<Value> = ZodType<Value, string>;

/** What can be given for a setting. */
export type ValueType<Value> = {
  /** What a value looks like in the help; null for a switch, whose flag needs no value. */
  readonly placeholder: string | null;
  /** Separates the values of a flag that is given more than once; null where there can be only one value. */
  readonly separator: string | null;
  /** Builds the schema. A function, because a schema costs time, and a start has none for settings that are not set. */
  readonly schema: () => Schema<Value>;
  /** A value as one would give it. */
  readonly show: (value: Value) => string;
};
