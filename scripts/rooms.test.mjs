// The rooms inside packages import what the table in `rooms.mjs` allows.
import { describe, expect, it } from 'vitest';
import {
  countFiles,
  findCircles,
  findImports,
  fromTheGroundUp,
  isAllowed,
  readSources,
  roomsOfPackages,
} from './rooms.mjs';

const sources = readSources();

describe.each(Object.entries(roomsOfPackages))('%s', (home, rooms) => {
  const imports = findImports(home, sources);

  it('imports nothing against the order of its rooms', () => {
    const against = imports.filter((entry) => !isAllowed(entry, rooms));
    expect(against.map(({ path, imported }) => `${path} imports ${imported}`)).toEqual([]);
  });

  it('has no files that import each other in a circle, types among them', () => {
    expect(findCircles(imports)).toEqual([]);
  });

  it('has every room in the table, and no other', () => {
    const found = [...countFiles(home, sources).keys()].map(
      (folder) => folder.slice(`${home}/src/`.length).split('/')[0],
    );
    expect([...new Set(found)].sort()).toEqual(Object.keys(rooms).sort());
  });

  it('has folders of 2 to 20 files', () => {
    const odd = [...countFiles(home, sources)].filter(([, files]) => files === 1 || files > 20);
    expect(odd).toEqual([]);
  });
});

describe('the checks', () => {
  const rooms = fromTheGroundUp(['ground'], ['upper', 'uppermost']);
  const file = (path, ...imported) => ({
    path: `packages/made-up/src/${path}`,
    text: imported.map((from) => `import type { Name } from '${from}';\n`).join(''),
  });
  const against = (...files) =>
    findImports('packages/made-up', files)
      .filter((entry) => !isAllowed(entry, rooms))
      .map(({ room, importedRoom }) => `${room} -> ${importedRoom}`);
  const circles = (...files) => findCircles(findImports('packages/made-up', files));

  it.each([
    ['a type of a layer above', file('ground/a.ts', '../upper/b.ts'), 'ground -> upper'],
    ['a later room of the same layer', file('upper/a.ts', '../uppermost/b.ts'), 'upper -> uppermost'],
    ['the entry of the package', file('upper/a.ts', '../index.ts'), 'upper -> src'],
    ['fakes for tests', file('upper/a.ts', '../testing/fake.ts'), 'upper -> testing'],
    ['anything into a room that is not in the table', file('cellar/a.ts', '../ground/b.ts'), 'cellar -> ground'],
  ])('find an import of %s', (_, broken, arrow) => {
    expect(against(broken)).toEqual([arrow]);
  });

  it('find an import over several lines, a side effect and a dynamic one', () => {
    const text =
      "import {\n  name,\n} from '../upper/a.ts';\nimport '../upper/b.ts';\nawait import('../upper/c.ts');\n";
    expect(against({ path: 'packages/made-up/src/ground/a.ts', text })).toHaveLength(3);
  });

  it('allow imports downwards, inside a room, and by the entry', () => {
    expect(
      against(file('uppermost/a.ts', '../ground/a.ts', '../upper/b.ts', './c.ts'), file('index.ts', './upper/b.ts')),
    ).toEqual([]);
  });

  it('find a circle of types through several files, and only its files', () => {
    const circle = [
      file('ground/a.ts', './b.ts'),
      file('ground/b.ts', './c.ts'),
      file('ground/c.ts', './a.ts', './d.ts'),
    ];
    expect(circles(...circle, file('ground/d.ts'))).toEqual([circle.map(({ path }) => path)]);
    expect(circles(file('ground/a.ts', './b.ts'), file('ground/b.ts'))).toEqual([]);
  });
});
