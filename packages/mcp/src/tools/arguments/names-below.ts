/** Names of files, patterns and directories as a caller gives them. */
export type NamedContext = {
  readonly files: readonly string[];
  readonly globPatterns: readonly string[];
  readonly directories: readonly string[];
};

/** What begins so is no relative name: a root, a drive, a share. */
const absolute = /^(?:[\\/]|[a-z]:[\\/])/i;

/** The signs of a pattern, which a directory may have in its name. */
const signs = /[\\*?[\]{}()!+@|]/g;

/** The same names, the relative ones among them taken from a directory. */
export function namesBelow<Context extends NamedContext>(directory: string, context: Context): Context {
  const base = directory.replace(/[\\/]+$/, '');
  const below = (start: string) => (name: string) => (absolute.test(name) ? name : `${start}/${name}`);
  return {
    ...context,
    files: context.files.map(below(base)),
    directories: context.directories.map(below(base)),
    globPatterns: context.globPatterns.map(below(base.replace(signs, '\\$&'))),
  };
}
