import { type PreloadPiece, preloadPiece } from './preload.ts';

/**
 * Keeps the preloaded script out of the programs that the CLI starts. With `NODE_OPTIONS`, each Node among them would load it: a
 * project's tests would find a foreign tracer, and a program that outlives the run would not start, since the script is removed with the
 * run. The program that starts the CLI must pass the variable on, and keeps it.
 */
export function keepFromChildrenPiece(): PreloadPiece {
  return preloadPiece(keepFromChildren, {});
}

/** Runs inside the CLI, and before that inside the program that starts it: the nearest package distinguishes them. */
function keepFromChildren(requireModule: NodeJS.Require): void {
  const { dirname, join }: typeof import('node:path') = requireModule('node:path');
  const { realpathSync, readFileSync }: typeof import('node:fs') = requireModule('node:fs');
  try {
    const script = realpathSync(process.argv[1] ?? '');
    for (let directory = dirname(script); dirname(directory) !== directory; directory = dirname(directory)) {
      try {
        if (JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')).name === '@google/gemini-cli') {
          delete process.env['NODE_OPTIONS'];
        }
        return;
      } catch {
        // The package root is further up.
      }
    }
  } catch {
    // Without a script, skip.
  }
}
