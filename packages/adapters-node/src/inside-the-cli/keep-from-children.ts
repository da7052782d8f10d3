import { type InsideFunction, type PreloadPiece, preloadPiece } from './preload.ts';

/**
 * Keeps the preloaded script from the programs that the CLI starts. Where it came by `NODE_OPTIONS`, each of them that is a
 * Node would load it: a project's tests would find a tracer that is not theirs, and one that outlives the run would not start,
 * since the script is gone with the run. The program that starts the CLI must pass the variable on, and keeps it.
 */
export function keepFromChildrenPiece(): PreloadPiece {
  return preloadPiece(keepFromChildren, {}, { findOwnCode });
}

const keepFromChildren: InsideFunction<object, { readonly findOwnCode: typeof findOwnCode }> = (
  requireModule,
  _,
  parts,
) => {
  if (parts.findOwnCode(requireModule) !== null) {
    delete process.env['NODE_OPTIONS'];
  }
};

/** Where the code of the process lies. */
type OwnCode = {
  readonly package: string;
  /** Where its dependencies are. */
  readonly around: readonly string[];
};

/** The package of the Gemini CLI, where this process runs it; null in any other. Runs inside the CLI. */
function findOwnCode(requireModule: NodeJS.Require): OwnCode | null {
  const { dirname, join, sep }: typeof import('node:path') = requireModule('node:path');
  const { realpathSync, readFileSync }: typeof import('node:fs') = requireModule('node:fs');
  try {
    const script = realpathSync(process.argv[1] ?? '');
    for (let directory = dirname(script); dirname(directory) !== directory; directory = dirname(directory)) {
      try {
        const { name } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
        const [modules = ''] = script.split(`${sep}node_modules${sep}`, 1);
        const around = modules === script ? [] : [join(modules, 'node_modules') + sep];
        return name === '@google/gemini-cli' ? { package: directory, around } : null;
      } catch {
        // The package begins further up.
      }
    }
  } catch {
    // There is no script.
  }
  return null;
}
