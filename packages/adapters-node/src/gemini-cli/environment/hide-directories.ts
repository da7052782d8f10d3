/** A directory, and what is shown in its place. */
export type HiddenDirectory = {
  readonly path: string;
  readonly shownAs: string;
};

/**
 * Makes a function that takes directories of this machine out of a text: what the CLI says of its own places is read by a
 * client's model, which has no business with them. Longer paths first, so that a home does not hide what lies in it.
 */
export function hideDirectories(directories: readonly HiddenDirectory[]): (text: string) => string {
  const longestFirst = directories
    .filter(({ path }) => path.length > 1)
    .sort((one, other) => other.path.length - one.path.length);
  return (text) => longestFirst.reduce((rest, { path, shownAs }) => rest.replaceAll(path, shownAs), text);
}
