// `npm pack` and `npm publish` of a package run this first: it builds, so that no package leaves without its files.
import { build, requireInstalled } from './run-step.mjs';

// npm's stdout is for the name of the tarball.
const exitCode = await requireInstalled().then(() => build({ stdio: ['ignore', 2, 2] }));
if (exitCode !== 0) {
  console.error('The build failed, so there is nothing to pack.');
}
process.exit(exitCode);
