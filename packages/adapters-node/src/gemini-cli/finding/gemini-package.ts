import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { absentUnlessShort } from '../../processes/system-shortage.ts';

export const geminiPackageName = '@google/gemini-cli';

const manifestSchema = z.object({
  name: z.literal(geminiPackageName),
  version: z.string(),
  bin: z.union([z.string(), z.object({ gemini: z.string() })]),
});

/** An installed package of the Gemini CLI. */
export type GeminiPackage = {
  readonly entry: string;
  readonly version: string;
};

/** Reads the package in a directory; null if missing. */
export async function readGeminiPackage(directory: string): Promise<GeminiPackage | null> {
  try {
    const manifest = manifestSchema.safeParse(JSON.parse(await readFile(join(directory, 'package.json'), 'utf8')));
    if (!manifest.success) {
      return null;
    }
    const { bin, version } = manifest.data;
    return { entry: join(directory, typeof bin === 'string' ? bin : bin.gemini), version };
  } catch (error) {
    return absentUnlessShort(error);
  }
}

/** The package that contains a file: the nearest one above it. */
export async function findGeminiPackageAbove(file: string): Promise<GeminiPackage | null> {
  for (let directory = dirname(file); directory !== dirname(directory); directory = dirname(directory)) {
    const found = await readGeminiPackage(directory);
    if (found !== null) {
      return found;
    }
  }
  return null;
}
