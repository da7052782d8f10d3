import { createDenial } from './create-denial.ts';
import { findOwnCode } from './find-own-code.ts';
import { type FileAccess, judgeFile } from './judge-file.ts';
import { namePlaces } from './name-places.ts';
import { type InsideFunction, type PreloadPiece, preloadPiece } from './preload.ts';

/** What the process of a run may see of the file system, in absolute paths. */
export type Confinement = {
  /** The private directory of the run, with the copy that its tools look into. */
  readonly own: string;
  /** Directories below `own` that are never listed: their entries have names that cannot be guessed. */
  readonly unlisted: readonly string[];
  /** Never seen, but for `own`: what the server keeps of others. */
  readonly hidden: readonly string[];
  /** Seen with everything below. */
  readonly open: readonly string[];
  /** Files, and beginnings of their names, and directories, that are read but never listed. */
  readonly read: readonly string[];
  /** Directories in which programs are looked for. */
  readonly programs: readonly string[];
  /** Whether any file may be read by its name: a login may name one. */
  readonly readsAnywhere: boolean;
};

type FileFunction = (...words: unknown[]) => unknown;

type ConfinementParts = {
  readonly createDenial: typeof createDenial;
  readonly findOwnCode: typeof findOwnCode;
  readonly judgeFile: typeof judgeFile;
  readonly namePlaces: typeof namePlaces;
};

/**
 * Makes everything outside of a confinement look to the Gemini CLI as if it were not there, whatever a pattern of the model
 * means: the CLI checks the directories that its tools are given, but not where their patterns lead. Does nothing in a process
 * that is not the Gemini CLI, since what starts it may need more. Programs that the CLI starts are not confined.
 */
export function confineFilesPiece(confinement: Confinement): PreloadPiece {
  return preloadPiece(confineFiles, confinement, { createDenial, findOwnCode, judgeFile, namePlaces });
}

const confineFiles: InsideFunction<Confinement, ConfinementParts> = (requireModule, confinement, parts) => {
  const fs: Record<string, FileFunction> & { readonly promises: Record<string, FileFunction> } =
    requireModule('node:fs');
  const code = parts.findOwnCode(requireModule);
  if (code === null) {
    return;
  }
  const open = [...confinement.open, code.package];
  const read = [...confinement.read, ...code.around];
  const names = parts.namePlaces(requireModule, { ...confinement, open, read });
  const functions: Readonly<Record<FileAccess, readonly string[]>> = {
    list: ['readdir', 'opendir'],
    read: ['readFile', 'open'],
    look: ['stat', 'lstat', 'access', 'exists', 'readlink', 'realpath'],
  };
  const confine = (
    home: Record<string, FileFunction>,
    key: string,
    access: FileAccess,
    way: 'callback' | 'sync' | 'promise',
  ): void => {
    const real = home[key];
    if (typeof real === 'function') {
      const isDenied = (given: unknown): boolean => {
        const path = names.read(given);
        return path !== null && !parts.judgeFile(access, path, names.places);
      };
      home[key] = parts.createDenial({ real, name: key, way, isDenied });
    }
  };
  for (const access of ['list', 'read', 'look'] as const) {
    for (const name of functions[access]) {
      confine(fs, name, access, 'callback');
      confine(fs, `${name}Sync`, access, 'sync');
      confine(fs.promises, name, access, 'promise');
    }
  }
  requireModule('node:module').syncBuiltinESMExports();
};
