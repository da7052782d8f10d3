/** Directories without hand-written text: versions, packages, environments, caches, build results. */
const directories: ReadonlySet<string> = new Set([
  '.git',
  '.hg',
  '.svn',
  '.jj',
  'CVS',
  'node_modules',
  'bower_components',
  'jspm_packages',
  '.yarn',
  '.pnpm-store',
  '__pycache__',
  '__pypackages__',
  '.venv',
  'venv',
  '.env',
  '.direnv',
  '.tox',
  '.nox',
  '.eggs',
  '.mypy_cache',
  '.pytest_cache',
  '.ruff_cache',
  '.hypothesis',
  '.ipynb_checkpoints',
  'htmlcov',
  '.next',
  '.nuxt',
  '.output',
  '.svelte-kit',
  '.angular',
  '.docusaurus',
  '.vite',
  '.expo',
  '.parcel-cache',
  '.turbo',
  '.nx',
  '.cache',
  '.nyc_output',
  'coverage',
  '.gradle',
  '.terraform',
  '.serverless',
  '.dart_tool',
  '.stack-work',
  'elm-stuff',
  'dist',
  'build',
]);

/** A directory that contains one of these is an environment or a cache (pyvenv: PEP 405; bford.info/cachedir). */
const markers: readonly string[] = ['pyvenv.cfg', 'CACHEDIR.TAG'];

const images = 'png jpg jpeg gif ico bmp webp avif heic tif tiff psd icns';
const soundAndFilm = 'mp3 mp4 m4a m4v wav flac ogg opus aac avi mov mkv webm';
const fonts = 'woff woff2 ttf eot otf';
const compiled = 'pyc pyo so dll dylib exe o a lib obj class jar war wasm node pdb';
const archives = 'zip tar gz tgz bz2 xz zst 7z rar';
const binaryExtensions: ReadonlySet<string> = new Set(
  [images, soundAndFilm, fonts, compiled, archives].join(' ').split(' '),
);

/** Text written by programs for programs. */
const skippedExtensions: ReadonlySet<string> = new Set(['map', 'svg']);

const files: ReadonlySet<string> = new Set(['.git', '.ds_store', 'thumbs.db', 'desktop.ini']);

/** Whether a walk skips directories of this name. */
export function isSkippedDirectory(name: string): boolean {
  return directories.has(name) || name.endsWith('.egg-info');
}

/** Whether a walk skips a directory that contains these names. */
export function isSkippedForItsContent(names: Iterable<string>): boolean {
  for (const name of names) {
    if (markers.includes(name)) {
      return true;
    }
  }
  return false;
}

/** Whether a walk silently skips files of this name. */
export function isSkippedFile(name: string): boolean {
  return files.has(name.toLowerCase()) || skippedExtensions.has(extensionOf(name));
}

/** Whether files of this name are known to be binary, so that a walk need not open them. */
export function isBinaryName(name: string): boolean {
  return binaryExtensions.has(extensionOf(name));
}

/** In lower case; empty for a name without an extension or with only a leading dot. */
function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(dot + 1).toLowerCase() : '';
}
