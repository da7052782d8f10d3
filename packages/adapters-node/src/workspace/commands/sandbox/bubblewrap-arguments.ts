import type { BubblewrapFeatures, FoundSandbox } from './command-sandbox.ts';
import type { OpenMount } from './mount-sources.ts';
import { type SandboxView, sandboxHome, unseenNamesFile } from './sandbox-view.ts';

/** The places of programs and of what they load. Some are links to `/usr`; some systems lack some. */
const programPlaces = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store', '/run/current-system'];

/** Settings that the system's programs need to be found and to know languages, time zones and certificates. */
const settingPlaces = [
  ...['/etc/alternatives', '/etc/ld.so.cache', '/etc/ld.so.conf', '/etc/ld.so.conf.d', '/etc/nsswitch.conf'],
  ...['/etc/localtime', '/etc/timezone', '/etc/locale.alias', '/etc/mime.types', '/etc/magic', '/etc/os-release'],
  // Listed individually: the machine's keys lie next to them.
  ...['/etc/ssl/certs', '/etc/ssl/cert.pem', '/etc/ssl/ca-bundle.pem', '/etc/ssl/openssl.cnf', '/etc/pki/tls/certs'],
  ...[
    '/etc/pki/tls/cert.pem',
    '/etc/pki/tls/openssl.cnf',
    '/etc/pki/tls/openssl.d',
    '/etc/pki/ca-trust',
    '/etc/pki/java',
  ],
  ...['/etc/ca-certificates', '/etc/crypto-policies', '/etc/fonts', '/etc/protocols'],
  ...['/etc/services', '/etc/debian_version', '/etc/static'],
];

/** Needed to reach other machines by name. */
const networkPlaces = ['/etc/resolv.conf', '/etc/hosts', '/run/systemd/resolve'];

/** Used by a sandbox and by the check that one works. */
export const namespaces: readonly string[] = [
  '--unshare-user',
  '--unshare-all',
  '--die-with-parent',
  '--new-session',
  '--cap-drop',
  'ALL',
];

/** Read-only as a whole: the kernel settings in it obey root's user id, even without capabilities, and no program needs to write there. */
export const processes: readonly string[] = ['--proc', '/proc', '--remount-ro', '/proc'];

const maxSharedMemoryBytes = 268_435_456;

export type BubblewrapArgumentsOptions = {
  readonly view: SandboxView;
  readonly sandbox: Pick<FoundSandbox, 'features' | 'emptied'>;
  readonly mounts: readonly OpenMount[];
  /** The descriptor by which bubblewrap gets the source of a mount. */
  readonly descriptorOf: (mount: OpenMount) => number;
};

/**
 * The arguments that confine a command, up to the one before the command itself: separate namespaces, no capabilities, an unwritable root,
 * and only the places named here.
 */
export function bubblewrapArguments(options: BubblewrapArgumentsOptions): readonly string[] {
  const { view, sandbox, mounts } = options;
  const { features, emptied } = sandbox;
  const { emptyFile, emptyDirectory } = view.place;
  return [
    ...namespaces,
    ...(view.network ? ['--share-net'] : []),
    ...systemBinds(view),
    ...processes,
    ...emptied.flatMap(({ path, kind }) => ['--ro-bind', kind === 'file' ? emptyFile : emptyDirectory, path]),
    ...deviceBinds(features),
    ...ownBinds(view),
    ...mounts.flatMap((mount) => projectBind(mount, options)),
    ...mounts.flatMap(({ path, source }) => (source.type === 'memory' ? ['--remount-ro', path] : [])),
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
  ];
}

/** Memory limits do not count in-memory files, so those are limited separately, and /tmp and the home lie on the disk. */
function deviceBinds({ boundsMemoryFiles }: BubblewrapFeatures): readonly string[] {
  const shared = boundsMemoryFiles ? ['--size', String(maxSharedMemoryBytes), '--tmpfs', '/dev/shm'] : [];
  return ['--dev', '/dev', ...shared, '--remount-ro', '/dev'];
}

function ownBinds({ place }: SandboxView): readonly string[] {
  return ['--bind', place.temporary, '/tmp', '--bind', place.home, sandboxHome];
}

function projectBind(mount: OpenMount, { sandbox, descriptorOf }: BubblewrapArgumentsOptions): readonly string[] {
  const { path, source, isWritable, realPath } = mount;
  switch (source.type) {
    case 'memory':
      return ['--tmpfs', path];
    case 'cover':
      return ['--ro-bind', source.file, path];
    case 'place':
      return sandbox.features.bindsDescriptors
        ? [isWritable ? '--bind-fd' : '--ro-bind-fd', String(descriptorOf(mount)), path]
        : [isWritable ? '--bind' : '--ro-bind', realPath, path];
  }
}

function readOnly(option: '--ro-bind' | '--ro-bind-try', path: string): readonly string[] {
  return [option, path, path];
}
