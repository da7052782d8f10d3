import { parseLineRange } from '@gemini-mcp/core';

export type NamesAndPatterns = {
  readonly files: readonly string[];
  readonly globPatterns: readonly string[];
};

/** Brackets alone are part of many a name, such as `app/[id]/page.tsx`. */
const patternSigns = /[*?{]/;

/** Separates names from patterns. A name that looks like a pattern counts as a name if a file has it. */
export async function splitEntries(
  entries: readonly string[],
  isFile: (path: string) => Promise<boolean>,
): Promise<NamesAndPatterns> {
  const isPattern = async (entry: string): Promise<boolean> =>
    patternSigns.test(entry) && !(await isFile(entry)) && !(await isFile(parseLineRange(entry)?.path ?? entry));
  const judged = await Promise.all(entries.map(async (entry) => ({ entry, isPattern: await isPattern(entry) })));
  return {
    files: judged.filter((one) => !one.isPattern).map(({ entry }) => entry),
    globPatterns: judged.filter((one) => one.isPattern).map(({ entry }) => entry),
  };
}
