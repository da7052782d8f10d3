import { type CoveredPath, type SandboxView, sandboxHome, unseenNamesFile } from './sandbox-view.ts';

/** What a version of bubblewrap offers besides what all of them do. */
export type BubblewrapFeatures = {
  /** Can forbid further user namespaces inside (0.8). */
  readonly forbidsNamespaces: boolean;
  /** Can bound what is kept in memory as files (0.8). */
  readonly boundsMemoryFiles: boolean;
};

/** Where programs and what they load lie. Some are links to `/usr`, some systems do not have all. */
const programPlaces = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store', '/run/current-system'];

/** Settings without which programs of the system are not found, or do not know languages, hours and certificates. */
const settingPlaces = [
  ...['/etc/alternatives', '/etc/ld.so.cache', '/etc/ld.so.conf', '/etc/ld.so.conf.d', '/etc/nsswitch.conf'],
  ...['/etc/localtime', '/etc/timezone', '/etc/locale.alias', '/etc/mime.types', '/etc/magic', '/etc/os-release'],
  ...['/etc/ssl', '/etc/pki', '/etc/ca-certificates', '/etc/crypto-policies', '/etc/fonts', '/etc/protocols'],
  ...['/etc/services', '/etc/debian_version', '/etc/static'],
];

/** What is needed to reach other machines by name. */
const networkPlaces = ['/etc/resolv.conf', '/etc/hosts', '/run/systemd/resolve'];

const maxSharedMemoryBytes = 268_435_456;

/**
 * The arguments that wall a command in, up to the one after which the command comes: namespaces of its own, no capability, a root that
 * cannot be written, and only what is named here in it.
 */
export function bubblewrapArguments(view: SandboxView, features: BubblewrapFeatures): readonly string[] {
  return [
    ...['--unshare-user', '--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ...(view.network ? ['--share-net'] : []),
    ...(features.forbidsNamespaces ? ['--disable-userns'] : []),
    ...systemBinds(view),
    ...deviceBinds(features),
    ...ownBinds(view),
    ...projectBinds(view),
    ...['--remount-ro', '/'],
  ];
}

function systemBinds({ network, place }: SandboxView): readonly string[] {
  const places = [...programPlaces, ...settingPlaces, ...(network ? networkPlaces : [])];
  return [
    ...readOnly('--ro-bind', '/usr'),
    ...places.flatMap((path) => readOnly('--ro-bind-try', path)),
    ...['--ro-bind', place.passwd, '/etc/passwd', '--ro-bind', place.group, '/etc/group'],
    ...['--ro-bind', place.unseenNames, unseenNamesFile],
    ...['--proc', '/proc'],
  ];
}

/** Files of memory are not seen where memory is measured: they are bounded, and what is in /tmp and in the home lies on the disk. */
function deviceBinds({ boundsMemoryFiles }: BubblewrapFeatures): readonly string[] {
  const shared = boundsMemoryFiles ? ['--size', String(maxSharedMemoryBytes), '--tmpfs', '/dev/shm'] : [];
  return ['--dev', '/dev', ...shared, '--remount-ro', '/dev'];
}

function ownBinds({ place }: SandboxView): readonly string[] {
  return ['--bind', place.temporary, '/tmp', '--bind', place.home, sandboxHome];
}

/** What lies deeper comes later, so that it lies on top of what it is in. */
function projectBinds(view: SandboxView): readonly string[] {
  const { place } = view;
  const cover = ({ path, kind }: CoveredPath, file: string, directory: string): Bind => ({
    path,
    arguments: ['--ro-bind', kind === 'file' ? file : directory, path],
  });
  const binds: readonly Bind[] = [
    ...view.writable.map((path) => ({ path, arguments: ['--bind', path, path] })),
    ...view.toolPaths.map((path) => ({ path, arguments: readOnly('--ro-bind', path) })),
    ...view.guarded.map((path) => ({ path, arguments: readOnly('--ro-bind-try', path) })),
    ...view.held.map((held) => cover(held, place.emptyFile, place.emptyDirectory)),
    ...view.masked.map((masked) => cover(masked, place.lockedFile, place.lockedDirectory)),
  ];
  return binds.toSorted((one, other) => depthOf(one) - depthOf(other)).flatMap((bind) => bind.arguments);
}

type Bind = { readonly path: string; readonly arguments: readonly string[] };

function depthOf({ path }: Bind): number {
  return path.split('/').length;
}

function readOnly(option: '--ro-bind' | '--ro-bind-try', path: string): readonly string[] {
  return [option, path, path];
}
