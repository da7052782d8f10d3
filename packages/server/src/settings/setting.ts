import type { ZodType } from 'zod';

/** One thing that can be set, by an environment variable or by a flag. */
export type Setting<Value> = {
  readonly variable: string;
  /** Without the dashes; null for a secret, because everybody on a machine can see the arguments of its programs. */
  readonly flag: string | null;
  /** Under which heading it is shown. Settings of one group stand together. */
  readonly group: string;
  /** What a value looks like; null for a switch, whose flag stands alone. */
  readonly placeholder: string | null;
  /** Stands between the values of a flag that is given more than once; null where there can be only one value. */
  readonly separator: string | null;
  /** What it means, in one line of Markdown. */
  readonly description: string;
  /** What holds when it is not set, in Markdown. */
  readonly shownDefault: string;
  /** Builds what reads a value. A function, because a schema costs time that a start does not have for settings nobody uses. */
  readonly schema: () => ZodType<Value, string>;
};
