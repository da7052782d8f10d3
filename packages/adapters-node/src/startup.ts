/**
 * For the other packages of this project, as `internal` is: what a program of ours needs before it loads the other adapters. Nothing
 * here imports a package.
 */

export { type PinnedPaths, pinPaths } from './disk/pin-paths.ts';
export { type ChosenDirectories, chooseDirectories, whyNoRoot } from './files/choose-directories.ts';
export { findExposure } from './processes/find-exposure.ts';
export { isTrustworthyUrl } from './processes/is-trustworthy-url.ts';
export { leaveRemovedDirectory } from './processes/leave-removed-directory.ts';
export { secretValues } from './processes/programs/child-environment.ts';
export { accountHome, findForeignHome, homeDirectory } from './processes/programs/home-directory.ts';
export {
  findUnfilledVariables,
  isUnfilled,
  withoutUnfilledVariables,
} from './processes/programs/unfilled-variables.ts';
export { SystemClock } from './processes/system-clock.ts';
export { defaultStateDirectory } from './storage/default-state-directory.ts';
