/**
 * For the other packages of this project, as `internal` is: what a program of ours needs before it loads the other adapters. Nothing
 * here imports a package.
 */
export { SystemClock } from './clock/system-clock.ts';
export { type PinnedPaths, pinPaths } from './files/pin-paths.ts';
export { secretValues } from './gemini-cli/environment/child-environment.ts';
export { findExposure } from './process/find-exposure.ts';
export { homeDirectory } from './process/home-directory.ts';
export { isTrustworthyUrl } from './process/is-trustworthy-url.ts';
export { type ChosenDirectories, chooseDirectories, whyNoRoot } from './roots/choose-directories.ts';
export { defaultStateDirectory } from './state/default-state-directory.ts';
