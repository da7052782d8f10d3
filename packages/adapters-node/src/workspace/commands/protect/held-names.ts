import { protectedPaths } from '@gemini-mcp/core/internal';
import type { CoveredPath } from '../sandbox/sandbox-view.ts';

/** The names, among those that suggest secrets, that programs obey unasked. */
const secretFiles = ['.env', '.env.local'] as const;

const heldPlaces = protectedPaths.filter(({ isHeld }) => isHeld);

/** Names that stay free at the top of a project while a command runs, so that commands cannot create them. `path` is the name. */
export const heldNames: readonly CoveredPath[] = [
  ...heldPlaces.flatMap(({ directories }) => directories.map((path) => ({ path, kind: 'directory' as const }))),
  ...[...heldPlaces.flatMap(({ files }) => files), ...secretFiles].map((path) => ({
    path,
    kind: 'file' as const,
  })),
];
