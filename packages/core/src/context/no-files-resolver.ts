import type { LeftOut } from '../failure/left-out.ts';
import type { ContextResolver } from '../ports/context-resolver.ts';

/** Reads nothing, for callers that may use no files: everything they name is outside the allowed roots. `detail` says why. */
export function createNoFilesResolver(detail: string): ContextResolver {
  return {
    resolve: ({ files, globPatterns, directories }, signal) => {
      if (signal.aborted) {
        return Promise.reject(signal.reason);
      }
      const leaveOut = (origin: LeftOut['origin'], paths: readonly string[]): readonly LeftOut[] =>
        paths.map((path) => ({ path, origin, reason: 'outside-roots', detail }));
      const leftOut = [
        ...leaveOut('file', files),
        ...leaveOut('glob', globPatterns),
        ...leaveOut('directory', directories),
      ].sort((one, other) => (one.path < other.path ? -1 : 1));
      return Promise.resolve({ documents: [], leftOut });
    },
  };
}
