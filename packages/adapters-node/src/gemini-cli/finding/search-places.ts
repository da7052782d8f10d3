import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { PassedOver, ProgramPath, ProgramSearch } from '../../programs/program-path.ts';
import { findGeminiPackageAbove, geminiPackageName, readGeminiPackage } from './gemini-package.ts';
import type { CliPlace } from './usual-places.ts';

export type PlacesSearch = ProgramSearch & {
  /** The directories that were looked into, the one where it was found included. */
  readonly lookedIn: readonly string[];
};

/**
 * Looks for the CLI in places that PATH need not name, in their order, under the rule for all programs. Only the package of the
 * Gemini CLI counts: another program of that name, or a script that needs more on PATH, is no reason to leave npx out.
 */
export async function searchPlaces(places: readonly CliPlace[], programs: ProgramPath): Promise<PlacesSearch> {
  const passedOver: PassedOver[] = [];
  const lookedIn = new Set<string>();
  for (const { kind, directory } of places) {
    lookedIn.add(directory);
    const search = await (kind === 'commands'
      ? searchCommands(directory, programs)
      : searchPackages(directory, programs));
    passedOver.push(...search.passedOver);
    if (search.path !== null) {
      return { path: search.path, passedOver, lookedIn: [...lookedIn] };
    }
  }
  return { path: null, passedOver, lookedIn: [...lookedIn] };
}

async function searchCommands(directory: string, programs: ProgramPath): Promise<ProgramSearch> {
  const search = await programs.searchIn(directory, 'gemini');
  const isPackage = search.path !== null && (await findGeminiPackageAbove(await realpath(search.path))) !== null;
  return isPackage ? search : { ...search, path: null };
}

/** A package's entry, by its path: no command file of npm, which would need a shell. */
export async function searchPackages(directory: string, programs: ProgramPath): Promise<ProgramSearch> {
  const place = join(directory, geminiPackageName);
  const ofPlace = await programs.judgeProgram(place);
  if (ofPlace?.kind === 'unreadable') {
    return { path: null, passedOver: [] };
  }
  const entry = ofPlace === null ? (await readGeminiPackage(place))?.entry : place;
  if (entry === undefined) {
    return { path: null, passedOver: [] };
  }
  const fault = ofPlace ?? (await programs.judgeProgram(entry));
  return fault === null ? { path: entry, passedOver: [] } : { path: null, passedOver: [{ path: entry, fault }] };
}
