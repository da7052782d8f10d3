// How the scripts of the root manifest start a program that the install brings: on a fresh clone the install comes first.
// `node scripts/run-installed.mjs <program> [arguments]`
import { requireInstalled, run, toolCommand } from './run-step.mjs';

const [name, ...args] = process.argv.slice(2);
await requireInstalled();
const [file, ...first] = toolCommand(name);
process.exit(await run(file, [...first, ...args]));
