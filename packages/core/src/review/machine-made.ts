/** Files that a program writes and people do not review. */
export type MachineMade = 'lock file' | 'generated file';

const lockNames: ReadonlySet<string> = new Set([
  ...['package-lock.json', 'npm-shrinkwrap.json', 'yarn.lock', 'pnpm-lock.yaml', 'bun.lock', 'bun.lockb', 'deno.lock'],
  ...['cargo.lock', 'poetry.lock', 'pdm.lock', 'uv.lock', 'pipfile.lock', 'gemfile.lock', 'composer.lock', 'go.sum'],
  ...['flake.lock', 'mix.lock', 'pubspec.lock', 'podfile.lock', 'packages.lock.json', 'gradle.lockfile'],
  ...['package.resolved', 'go.work.sum', '.terraform.lock.hcl', 'conan.lock'],
]);

const generatedNames =
  /\.(?:min\.(?:js|css|mjs)|map|snap|pb\.go|pb\.cc|pb\.h|g\.dart|freezed\.dart|designer\.cs|g\.cs)$|_pb2(?:_grpc)?\.pyi?$|(?:^|\/)(?:node_modules|vendor|third_party|__snapshots__|__generated__|dist)\//i;

/** A line near the beginning by which generators mark their files, as Go, Google's and Meta's tools agree on it. */
const mark = /^.{0,20}(?:code generated .{1,100}do not edit|@generated\b|this file (?:is|was) (?:auto-?)?generated)/im;

const headCharacters = 2_000;

/** Whether a program wrote the file, by its name or its first lines; null if people did. A test about generators may have such a line: it stays. */
export function machineMade(path: string, text: string | null): MachineMade | null {
  if (lockNames.has(path.slice(path.lastIndexOf('/') + 1).toLowerCase())) {
    return 'lock file';
  }
  const isMarked = text !== null && mark.test(text.slice(0, headCharacters));
  return generatedNames.test(path) || isMarked ? 'generated file' : null;
}
