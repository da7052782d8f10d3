import { findOwnCode } from './find-own-code.ts';
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
