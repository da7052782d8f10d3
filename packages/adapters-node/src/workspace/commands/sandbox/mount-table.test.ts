import { expect, it } from 'vitest';
import { type ExpectedMount, findMisplaced, parseMounts } from './mount-table.ts';

const own = parseMounts(
  '27 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n30 27 8:1 /data /p/data rw - ext4 /dev/vdb rw\n',
);

const expected: readonly ExpectedMount[] = [
  { path: '/p', device: '254:0', root: '/home/p', isWritable: true },
  { path: '/p/x', device: '254:0', root: '/home/p/x', isWritable: true },
  { path: '/p/x/.github', device: '254:0', root: '/home/p/x/.github', isWritable: false },
];

const system = '65 42 0:40 /newroot / ro - tmpfs tmpfs rw\n66 65 254:0 /usr /usr ro - ext4 /dev/vda rw\n';
const [project, pin, guarded] = [
  '70 65 254:0 /home/p /p rw,nosuid - ext4 /dev/vda rw\n',
  '71 70 254:0 /home/p/x /p/x rw,nosuid - ext4 /dev/vda rw\n',
  '72 71 254:0 /home/p/x/.github /p/x/.github ro,nosuid - ext4 /dev/vda rw\n',
] as const;

function compare(...lines: readonly string[]): string | null {
  return findMisplaced({ expected, own, tops: ['/p'], found: parseMounts(lines.join('')) });
}

it('finds no fault with the requested mounts', () => {
  expect(compare(system, project, pin, guarded)).toBeNull();
});

it.each<[what: string, lines: readonly string[], path: string]>([
  ['a mount that is missing', [system, project, guarded], '/p/x'],
  [
    'a mount that a link led elsewhere',
    [system, project, pin, '72 71 254:0 / /p/z ro - ext4 /dev/vda rw\n'],
    '/p/x/.github',
  ],
  ['another place', [system, project, pin, guarded.replace('/home/p/x/.github', '/')], '/p/x/.github'],
  ['another file system', [system, project, pin, guarded.replace('254:0', '254:1')], '/p/x/.github'],
  ['a place that is gone', [system, project, pin.replace('/home/p/x', '/home/p/x//deleted'), guarded], '/p/x'],
  ['a place that can be written', [system, project, pin, guarded.replace('ro,', 'rw,')], '/p/x/.github'],
  [
    'a mount on the same place',
    [system, project, pin, guarded, '73 72 0:9 / /p/x/.github rw - tmpfs tmpfs rw\n'],
    '/p/x/.github',
  ],
  [
    'a mount below a directory that another one hides',
    [system, project, pin, guarded.replace('72 71', '72 70')],
    '/p/x/.github',
  ],
  ['a mount that was not requested', [system, project, pin, guarded, '73 70 0:9 / /p/y rw - tmpfs tmpfs rw\n'], '/p/y'],
])('finds %s', (_, lines, path) => {
  expect(compare(...lines)).toBe(path);
});

it("accepts the host's own mounts in the project", () => {
  expect(compare(system, project, '74 70 8:1 /data /p/data rw - ext4 /dev/vdb rw\n', pin, guarded)).toBeNull();
});

it('reads blanks and line ends in names', () => {
  const [mount] = parseMounts('70 65 254:0 /a\\040b /p\\134x\\012y rw - ext4 /dev/vda rw\n');
  expect([mount?.root, mount?.path]).toEqual(['/a b', '/p\\x\ny']);
});
