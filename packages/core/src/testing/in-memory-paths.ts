/** Empty for the working directory itself, null for what lies outside it. */
export function normalise(name: string): string | null {
  const names: string[] = [];
  for (const part of name.split('/')) {
    if (part === '..' && names.pop() === undefined) {
      return null;
    }
    if (part !== '' && part !== '.' && part !== '..') {
      names.push(part);
    }
  }
  return name.startsWith('/') ? null : names.join('/');
}

/** Whether a file lies at any depth below a directory. */
export function isBelow(file: string, directory: string): boolean {
  return directory === '' || file.startsWith(`${directory}/`);
}

/** Whether the names of a path match those of a pattern in which `*`, `?` and `**` are wildcards. */
export function matchesPath(pattern: readonly string[], path: readonly string[]): boolean {
  const [segment, ...rest] = pattern;
  const [name, ...below] = path;
  if (segment === undefined || name === undefined) {
    return segment === undefined && name === undefined;
  }
  if (segment === '**') {
    return matchesPath(rest, path) || (!name.startsWith('.') && (matchesPath(pattern, below) || isAll(rest, below)));
  }
  return matchesName(segment, name) && matchesPath(rest, below);
}

/** `**` at the end takes everything. */
function isAll(rest: readonly string[], below: readonly string[]): boolean {
  return rest.length === 0 && below.length === 0;
}

function matchesName(pattern: string, name: string): boolean {
  if (name.startsWith('.') && !pattern.startsWith('.')) {
    return false;
  }
  const escaped = pattern.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, 'su').test(name);
}
