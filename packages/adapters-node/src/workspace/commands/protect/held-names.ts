import { protectedPaths } from '@gemini-mcp/core/internal';
import type { CoveredPath } from '../sandbox/sandbox-view.ts';

/** Of the names that look like those of secrets, the ones that programs obey without being asked. */
const secretFiles = ['.env', '.env.local'] as const;

const heldPlaces = protectedPaths.filter(({ isHeld }) => isHeld);

/** Names that stay free at the top of a project while a command runs: what commands cannot make there either. `path` is the name. */
export const heldNames: readonly CoveredPath[] = [
  ...heldPlaces.flatMap(({ directories }) => directories.map((path) => ({ path, kind: 'directory' as const }))),
  ...[...heldPlaces.flatMap(({ files }) => files), ...secretFiles].map((path) => ({
    path,
    kind: 'file' as const,
  })),
];
