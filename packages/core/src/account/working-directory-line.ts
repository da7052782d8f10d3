import { escapeName } from '../text/escape-name.ts';

/** Says from which directory relative names are resolved; nothing where that is not to be known. */
export function workingDirectoryLine(workingDirectory: string | undefined): readonly string[] {
  return workingDirectory === undefined
    ? []
    : [`Relative names are resolved from the working directory ${escapeName(workingDirectory)}`];
}
