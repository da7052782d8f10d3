/**
 * A name relative to the working directory: empty for the directory itself, null for a name outside it. `workingDirectory` is absolute; a name may be
 * absolute too.
 */
export function normalise(name: string, workingDirectory: string): string | null {
  const names: string[] = [];
  for (const part of (name.startsWith('/') ? name : `${workingDirectory}/${name}`).split('/')) {
    if (part === '..') {
      names.pop();
    } else if (part !== '' && part !== '.') {
      names.push(part);
    }
  }
  const path = `/${names.join('/')}`;
  if (path === workingDirectory) {
    return '';
  }
  return path.startsWith(`${workingDirectory}/`) ? path.slice(workingDirectory.length + 1) : null;
}

/** Whether a file lies at any depth below a directory. */
export function isBelow(file: string, directory: string): boolean {
  return directory === '' || file.startsWith(`${directory}/`);
}

/** Whether a path matches a pattern with `*`, `?`, `**` and `{a,b}`. */
export function matchesPattern(pattern: string, path: string): boolean {
  return expandBraces(pattern).some((one) => matchesPath(one.split('/'), path.split('/')));
}

/** Innermost braces first, so that nested ones are expanded too. */
function expandBraces(pattern: string): readonly string[] {
  const [, before, choices, after] = /^(.*)\{([^{}]*,[^{}]*)\}(.*)$/su.exec(pattern) ?? [];
  if (choices === undefined) {
    return [pattern];
  }
  return choices.split(',').flatMap((choice) => expandBraces(`${before}${choice}${after}`));
}

function matchesPath(pattern: readonly string[], path: readonly string[]): boolean {
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

/** A trailing `**` matches everything. */
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
