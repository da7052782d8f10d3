import { escapeName } from '../text/escape-name.ts';

/** Names the directory from which relative names are resolved; nothing if it must stay unknown. */
export function workingDirectoryLine(workingDirectory: string | undefined): readonly string[] {
  return workingDirectory === undefined
    ? []
    : [`Relative names are resolved from the working directory ${escapeName(workingDirectory)}`];
}
