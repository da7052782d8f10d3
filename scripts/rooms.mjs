// `node scripts/rooms.mjs`: prints which package imports which, and the same for the rooms inside packages. A room is a folder of a package's
// `src`. What counts are the imports of product files, types among them; `rooms.test.mjs` holds them to the table below.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rootDirectory } from './run-step.mjs';

/** Which rooms a room imports besides itself, by package. The files that lie in `src` itself import all of them. */
export const roomsOfPackages = {
  'packages/core': fromTheGroundUp(
    ['failure', 'ports'],
    ['text', 'addresses', 'waiting', 'json', 'records'],
    [
      'context',
      'edits',
      'commands',
      'workspace',
      'answers',
      'session',
      'fallback',
      'google',
      'models',
      'runner-choice',
    ],
    ['account', 'approvals', 'upstreams'],
    [
      ...[
        'ask-gemini',
        'json-answer',
        'preview',
        'search',
        'chat',
        'review',
        'opinions',
        'agent',
        'model-tools',
        'jobs',
      ],
      'usage',
    ],
  ),
  // What every room needs of the system lies in `processes` and `disk`; the rooms on them do not know each other.
  'packages/adapters-node': {
    processes: [],
    disk: ['processes'],
    files: ['processes', 'disk'],
    workspace: ['processes', 'disk'],
    storage: ['processes', 'disk'],
    'gemini-cli': ['processes', 'disk'],
  },
};

/** Layers of rooms: a room imports those of the layers before its own, and those listed before it in its own. */
export function fromTheGroundUp(...layers) {
  const rooms = layers.flat();
  return Object.fromEntries(rooms.map((room, place) => [room, rooms.slice(0, place)]));
}

/** The product files of all packages and apps, by path, with their texts. */
export function readSources() {
  return execFileSync('git', ['ls-files', '-z', 'packages/*.ts', 'apps/*.ts'], { cwd: rootDirectory, encoding: 'utf8' })
    .split('\0')
    .filter((path) => /^[^/]+\/[^/]+\/src\//.test(path) && !/\.test\.ts$|\/(?:testing|e2e)\//.test(path))
    .map((path) => ({ path, text: readFileSync(join(rootDirectory, path), 'utf8') }));
}

/** Each import of one file of a package by another, with the rooms of both; `src` is the room of the files in `src` itself. */
export function findImports(home, sources) {
  const roomOf = (path) => /\/src\/([^/]+)\//.exec(path.slice(home.length))?.[1] ?? 'src';
  return sources
    .filter(({ path }) => path.startsWith(`${home}/`))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/(?:\bfrom|\bimport|\bimport\()\s*'(\.[^']+)'/g)].map(([, specifier]) => {
        const imported = join(path, '..', specifier);
        return { path, room: roomOf(path), imported, importedRoom: roomOf(imported) };
      }),
    );
}

/** Whether a table of rooms allows an import. */
export function isAllowed({ room, importedRoom }, rooms) {
  return room === 'src' || room === importedRoom || (rooms[room]?.includes(importedRoom) ?? false);
}

/** Files that import each other, directly or through others: the files of each circle. */
export function findCircles(imports) {
  const importedBy = new Map();
  for (const { path, imported } of imports) {
    importedBy.set(path, [...(importedBy.get(path) ?? []), imported]);
  }
  const reached = new Map([...importedBy.keys()].map((path) => [path, reachFrom(path, importedBy)]));
  const circleOf = (path) => [...reached.get(path)].filter((other) => reached.get(other)?.has(path));
  const circles = [...reached.keys()].map((path) => circleOf(path).sort().join(' ')).filter((circle) => circle !== '');
  return [...new Set(circles)].map((circle) => circle.split(' '));
}

function reachFrom(start, importedBy) {
  const reached = new Set();
  const waiting = [start];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    for (const imported of importedBy.get(path) ?? []) {
      if (!reached.has(imported)) {
        reached.add(imported);
        waiting.push(imported);
      }
    }
  }
  return reached;
}

/** How many files each folder below `src` has, without those of its folders. */
export function countFiles(home, sources) {
  const folders = sources
    .map(({ path }) => path.slice(0, path.lastIndexOf('/')))
    .filter((folder) => folder.startsWith(`${home}/src/`));
  return count(folders);
}

function count(names) {
  const counts = new Map();
  for (const name of names) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

function drawPackages(sources) {
  const home = (path) => path.split('/').slice(0, 2).join('/');
  const homes = [...new Set(sources.map(({ path }) => home(path)))];
  return homes.map((from) => {
    const imports = sources
      .filter(({ path }) => home(path) === from)
      .flatMap(({ text }) => [...text.matchAll(/\bfrom '@gemini-mcp\/([^'/]+)/g)].map(([, name]) => name));
    return drawArrows(from, imports);
  });
}

function drawRooms(home, rooms, sources) {
  const imports = findImports(home, sources);
  const against = imports.filter((entry) => !isAllowed(entry, rooms));
  const lines = Object.keys(rooms).map((room) => {
    const ofRoom = imports.filter((entry) => entry.room === room && entry.importedRoom !== room);
    return drawArrows(
      room,
      ofRoom.map((entry) => `${isAllowed(entry, rooms) ? '' : '!'}${entry.importedRoom}`),
    );
  });
  const title = `${home}: ${against.length} imports against the order, ${findCircles(imports).length} circles`;
  return ['', title, ...lines.toReversed()];
}

function drawArrows(from, imported) {
  const counts = [...count(imported)].toSorted(([, one], [, other]) => other - one);
  return `  ${from} -> ${counts.map(([name, times]) => `${name} ${times}`).join(', ') || 'nothing'}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const sources = readSources();
  const drawn = Object.entries(roomsOfPackages).flatMap(([home, rooms]) => drawRooms(home, rooms, sources));
  console.log(['packages', ...drawPackages(sources), ...drawn].join('\n'));
}
