import { relative, sep } from 'node:path';
import type { StepResult } from '@gemini-mcp/core';
import { escapeName, judgeWrite, outsideRoots, refused, type WriteJudgement } from '@gemini-mcp/core/internal';
import { AllowedRoots, type NamedPath } from '../../disk/allowed-roots.ts';
import { chooseDescriptorProof, type DescriptorProof } from '../../disk/open-verified.ts';
import { RealRoots } from '../../disk/real-roots.ts';
import { isSensitivePath } from '../../disk/sensitive-names.ts';
import { displayPathOf } from '../journal/display-path-of.ts';

export type RunReachOptions = {
  /** A real path below a root. */
  readonly workingDirectory: string;
  /** Real paths. */
  readonly roots: readonly string[];
  /** Nothing in them is read or changed, even inside a root. */
  readonly privateDirectories: readonly string[];
};

/** The files that one run may use, and their display paths. */
export class RunReach {
  readonly roots: RealRoots;
  readonly proof: DescriptorProof = chooseDescriptorProof();
  readonly #names: AllowedRoots;
  readonly #workingDirectory: string;
  /** The prefix of paths below the working directory. */
  readonly #beginning: string;

  constructor({ workingDirectory, roots, privateDirectories }: RunReachOptions) {
    // Real paths, which are never resolved again.
    this.#names = new AllowedRoots({ workingDirectory, roots, pinned: new Map() });
    this.roots = new RealRoots({ directories: roots, privateDirectories });
    this.#workingDirectory = workingDirectory;
    this.#beginning = workingDirectory.endsWith(sep) ? workingDirectory : workingDirectory + sep;
  }

  /** Resolves a name by its text, relative to a directory of the run. */
  locate(name: string): StepResult<NamedPath> {
    const place = this.#names.locate(name);
    return place === null ? refused(outsideRoots(showName(name))) : { ok: true, value: place };
  }

  /** The display path of a real path, as in `ProposedChange`. */
  display(realPath: string): string {
    // Runs for each of many files, so the usual case comes first.
    return sep === '/' && realPath.startsWith(this.#beginning)
      ? realPath.slice(this.#beginning.length)
      : displayPathOf(realPath, this.#workingDirectory);
  }

  /** The judgement of a change to a real path, by its names below the containing root. */
  judge(realPath: string): WriteJudgement {
    const below = relative(this.roots.rootOf(realPath) ?? sep, realPath).replaceAll(sep, '/');
    return judgeWrite({ path: below, isSensitive: isSensitivePath });
  }
}

const maxShownCharacters = 300;

/** Formats a name from the model for messages: on one line, and not too long. */
export function showName(name: string): string {
  const shown = escapeName(name.slice(0, maxShownCharacters));
  return name.length > maxShownCharacters ? `${shown}…` : shown;
}
