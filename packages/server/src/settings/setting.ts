import type { ZodType } from 'zod';

/** In the order in which they are shown. */
export const settingGroups = ['Files', 'Models and calls', 'Warm processes', 'Tools', 'The process'] as const;

export type SettingGroup = (typeof settingGroups)[number];

/** One thing that can be set, by an environment variable or by a flag. */
export type Setting<Value> = {
  readonly variable: string;
  /** Without the dashes. */
  readonly flag: string;
  readonly group: SettingGroup;
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
