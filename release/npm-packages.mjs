// The tarballs of the npm packages.
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { execa } from 'execa';
import * as tar from 'tar';
import { publishedPackages } from '../scripts/published-packages.mjs';
import { rootDirectory } from '../scripts/run-step.mjs';
import { declaration } from './declaration.mjs';

/**
 * Packs packages (default: every published one), as built, into a directory, which it creates. Resolves to the paths of the tarballs
 * by the names of their packages; a package comes after those that it depends on.
 */
export async function packPackages(directory, chosen = publishedPackages) {
  const workplace = await mkdtemp(join(tmpdir(), 'gemini-mcp-pack-'));
  try {
    const packages = inOrder(chosen);
    const packed = await runNpmPack(packages, workplace);
    await mkdir(directory, { recursive: true });
    const tarballs = packages.map(async (source, index) => {
      // The names are in the same order, for those who publish them one by one.
      const file = join(directory, `${String(index + 1).padStart(2, '0')}-${packed.get(source.name)}`);
      await repack(source, { from: join(workplace, packed.get(source.name)), workplace, file });
      return [source.name, file];
    });
    return new Map(await Promise.all(tarballs));
  } finally {
    await rm(workplace, { recursive: true, force: true });
  }
}

/** What npm publishes of a manifest: without the words of our workspace, and with the addresses of the project. */
export function publishedManifest({ directory, manifest }) {
  const { scripts, devDependencies, files, ...published } = manifest;
  const { name, author, repository, registryName } = declaration;
  return {
    ...published,
    ...(manifest.name === name ? { mcpName: registryName } : {}),
    author,
    homepage: repository,
    bugs: `${repository}/issues`,
    repository: { type: 'git', url: `git+${repository}.git`, directory: relative(rootDirectory, directory) },
  };
}

/** Packages in the order of their dependencies. */
function inOrder(packages) {
  const dependsOn = ({ manifest }, { name }) => manifest.dependencies?.[name] !== undefined;
  const ordered = [];
  while (ordered.length < packages.length) {
    const left = packages.filter((each) => !ordered.includes(each));
    ordered.push(...left.filter((each) => !left.some((other) => dependsOn(each, other))));
  }
  return ordered;
}

/** Resolves to the file names of the tarballs by the names of their packages. */
async function runNpmPack(packages, directory) {
  const places = packages.map((each) => each.directory);
  const options = ['--ignore-scripts', '--json', `--pack-destination=${directory}`];
  const { stdout } = await execa('npm', ['pack', ...places, ...options]);
  return new Map(JSON.parse(stdout).map(({ name, filename }) => [name, filename]));
}

/** npm chooses the files by the package's own manifest, so the published one takes its place afterwards. */
async function repack(source, { from, workplace, file }) {
  const root = join(workplace, source.name);
  const place = join(root, 'package');
  await mkdir(root, { recursive: true });
  await tar.extract({ file: from, cwd: root });
  await writeFile(join(place, 'package.json'), `${JSON.stringify(publishedManifest(source), null, 2)}\n`);
  if (source.name === declaration.name) {
    // The package is a plugin too. Its own README stays.
    await cp(join(rootDirectory, 'plugins/gemini'), place, { recursive: true, force: false });
  }
  // Portable: without the account that packed. Unpacked by root, the files would go to the account of the same number.
  await tar.create({ file, cwd: root, gzip: { level: 9 }, portable: true, onWriteEntry: hideUmask }, ['package']);
}

/** Only owners may write, whatever the umask of this machine made of the files. */
function hideUmask(entry) {
  entry.stat.mode = entry.stat.isDirectory() || entry.stat.mode & 0o100 ? 0o755 : 0o644;
}
