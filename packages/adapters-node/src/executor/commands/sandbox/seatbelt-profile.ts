import type { SandboxView } from './sandbox-view.ts';

/** What the system itself needs to start a program, and the places of programs. */
const readable = [
  ...['/usr', '/bin', '/sbin', '/System', '/Library', '/opt/homebrew', '/usr/local', '/private/etc', '/private/var/db'],
  ...['/dev/null', '/dev/zero', '/dev/random', '/dev/urandom', '/dev/fd', '/Applications/Xcode.app'],
];

/**
 * The profile for `sandbox-exec` of macOS, in its own language: what is not named is denied, and of several rules the last one that fits
 * decides. No Mac has run it yet.
 */
export function seatbeltProfile(view: SandboxView): string {
  const { place, toolPaths, writable, guarded, held, masked, network } = view;
  const shut = masked.map(({ path }) => path);
  return [
    '(version 1)',
    '(deny default)',
    '(allow process-fork process-exec)',
    '(allow signal process-info* (target same-sandbox))',
    '(allow sysctl-read mach-lookup file-read-metadata)',
    rule('allow file-read*', [...readable, ...toolPaths]),
    rule('allow file-read* file-write*', [...writable, place.temporary, place.home]),
    '(allow file-write* (literal "/dev/null"))',
    rule('deny file-write*', [...guarded, ...held.map(({ path }) => path)]),
    rule('deny file-read* file-write*', shut),
    network ? '(allow network*)' : '(deny network*)',
  ]
    .filter((line) => line !== '')
    .join('\n');
}

/** Empty without a path: a rule without one would hold for all. */
function rule(action: string, paths: readonly string[]): string {
  return paths.length === 0 ? '' : `(${action} ${paths.map((path) => `(subpath ${quoted(path)})`).join(' ')})`;
}

/** A path could hold what ends a text, and begin a rule of its own. */
function quoted(path: string): string {
  return `"${path.replace(/["\\]/g, (sign) => `\\${sign}`)}"`;
}
