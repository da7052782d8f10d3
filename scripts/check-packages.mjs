// `npm run published`: packs each published package once, as plain npm does. publint looks at all of them, attw at those that are imported.
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publishedPackages } from './published-packages.mjs';
import { requireBuilt, runAside } from './run-step.mjs';

await requireBuilt('apps/mcp-stdio/dist/gemini-mcp-server.cjs');
const packed = await mkdtemp(join(tmpdir(), 'gemini-mcp-check-'));
try {
  const results = await Promise.all(publishedPackages.map(check));
  process.exitCode = results.every((passed) => passed) ? 0 : 1;
} finally {
  await rm(packed, { recursive: true, force: true });
}

async function check({ name, directory, manifest }) {
  const destination = join(packed, name);
  await mkdir(destination, { recursive: true });
  const isPacked = await passes(name, [
    'npm',
    'pack',
    directory,
    '--ignore-scripts',
    '--pack-destination',
    destination,
  ]);
  if (!isPacked) {
    return false;
  }
  const [file] = await readdir(destination);
  const tarball = join(destination, file);
  const checks = [passes(name, ['publint', tarball, '--strict'])];
  if (manifest.exports !== undefined) {
    checks.push(passes(name, ['attw', tarball, '--profile', 'esm-only', '--no-emoji', '--no-color']));
  }
  return (await Promise.all(checks)).every((passed) => passed);
}

/** What a program says is shown where it found something. */
async function passes(name, [program, ...args]) {
  const { exitCode, output } = await runAside(program, args);
  console.log(exitCode === 0 ? `${name}: ${program} found nothing` : `${name}: ${program} says:\n${output}`);
  return exitCode === 0;
}
