import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';
import type { CommandReport } from '@gemini-mcp/core';
import { testUsers } from '@gemini-mcp/fake-gemini';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { planOf } from './testing/plan-of.ts';
import { UserPlace } from './testing/run-as.ts';

let place: UserPlace;

/** Makes a call by its number and reports its result: an error number, or 0. */
const perl = `
  my %calls = (x64 => {open => 2, fchmod => 91, openat => 257, mknodat => 259, ioctl => 16, socket => 41, socketpair => 53, chmod => 90, creat => 85, syslog => 103, mknod => 133, add_key => 248,
      request_key => 249, keyctl => 250, fchmodat => 268, unshare => 272, perf_event_open => 298, bpf => 321, userfaultfd => 323, fcntl => 72, ptrace => 101, process_vm_writev => 311, renameat2 => 316},
    arm64 => {fchmod => 52, openat => 56, mknodat => 33, ioctl => 29, socket => 198, socketpair => 199, syslog => 116, add_key => 217, request_key => 218, keyctl => 219, fchmodat => 53,
      unshare => 97, perf_event_open => 241, bpf => 280, userfaultfd => 282, fcntl => 25, ptrace => 117, process_vm_writev => 271, renameat2 => 276});
  my %call = (%{$calls{$ARGV[0]}}, io_uring_setup => 425, clone3 => 435, openat2 => 437, memfd_secret => 447, fchmodat2 => 452);
  my $room = "\\0" x 256;
  sub try { my ($name, @given) = @_; return unless defined $call{$name};
    $! = 0; my $end = syscall($call{$name}, @given); print "$name ", ($end == -1 ? $!+0 : 0), "\\n"; }
  open(my $made, '>', 'made'); `;

/** The requests of a hostile program to the kernel, and the errors that it gets. */
const refused: readonly (readonly [title: string, asks: string, error: keyof typeof constants.errno])[] = [
  ['HOST-M1: reads no keyring', 'try("keyctl", 0, -3, 0); try("keyctl", 11, -3, $room, 256)', 'ENOSYS'],
  [
    'HOST-M1: adds no key and requests none',
    'try("add_key", "user", "name", "value", 5, -3); try("request_key", "user", "name", 0, 0)',
    'ENOSYS',
  ],
  [
    'HOST-M1: has no socket that a network namespace does not confine',
    'try("socket", $_, 1, 0) for 0, 3 .. 9, 11 .. 15, 17 .. 50; try("socketpair", 30, 1, 0, $room); try("socket", 16, 3, $_) for 1 .. 30',
    'EAFNOSUPPORT',
  ],
  [
    'HOST-M1: has no io_uring, no BPF, no performance counters and no page fault handler',
    'try("io_uring_setup", 1, $room); try("bpf", 0, $room, 48); try("userfaultfd", 1); try("perf_event_open", $room, 0, -1, -1, 0)',
    'ENOSYS',
  ],
  [
    'HOST-M1: has no call with flags that a pointer leads to',
    'try("clone3", $room, 88); try("openat2", -100, "made2", $room, 24)',
    'ENOSYS',
  ],
  ['HOST-M1: creates no further user namespace', 'try("unshare", 0x10000000)', 'EPERM'],
  ['HOST-M1: reads no kernel log', 'try("syslog", 3, $room, 256)', 'EPERM'],
  ['HOST-M1: types nothing into a terminal', 'try("ioctl", 0, $_, $room) for 0x5412, 0x541c', 'EPERM'],
  [
    'HOST-M1: creates no device',
    'try("mknod", "device", $_, 0) for 0020666, 0060666; try("mknodat", -100, "device", 0020666, 0); try("renameat2", -100, "made", -100, "moved", 4)',
    'EPERM',
  ],
  ['HOST-M2: takes no memory that is not counted', 'try("memfd_secret", 0)', 'ENOSYS'],
  [
    'HOST-H1: does not change the first process of its sandbox, whose arguments identify the sandbox',
    'try("ptrace", 0x4206, 1, 0, 0); try("process_vm_writev", 1, 0, 0, 0, 0, 0)',
    'EPERM',
  ],
  ['HOST-H1: cannot have itself resumed while it is paused', 'try("fcntl", fileno($made), 10, 18)', 'EPERM'],
  [
    'HOST-L8: does not set the setuid bit of a file',
    'try("chmod", "made", $_) for 04755, 06755; try("fchmod", fileno($made), 04755); try("fchmodat", -100, "made", 04755); try("fchmodat2", -100, "made", 04755, 0)',
    'EPERM',
  ],
  [
    'HOST-L8: creates no file with setuid or setgid bits',
    'for my $mode (04755, 02755) { try("open", "made2", 0101, $mode); try("openat", -100, "made2", 0101, $mode); try("openat", -100, ".", 020200001, $mode); try("creat", "made2", $mode); try("mknod", "made2", 0100000 + $mode, 0); try("mknodat", -100, "made2", 0100000 + $mode, 0) }',
    'EPERM',
  ],
];

describe.runIf(process.platform === 'linux').each(testUsers())('the kernel for a command of $name', (user) => {
  beforeEach(async () => {
    place = await UserPlace.make(user);
  });

  afterEach(() => place.remove());

  async function run(...words: readonly [string, ...string[]]): Promise<CommandReport> {
    const [result] = await place.run({ plans: [planOf(...words)] });
    if (result?.ok !== true) {
      throw new Error(JSON.stringify(result));
    }
    return result.value;
  }

  it("HOST-H5: nothing in /proc can be opened for writing except the process's own files", async () => {
    const script = `find /proc -path '/proc/[0-9]*' -prune -o -type f -print 2> /dev/null | while read -r file; do
      ( : >> "$file" ) 2> /dev/null && echo "$file"; done
      ( : >> /proc/sys/kernel/core_pattern ); echo end`;
    const { output } = await run('sh', '-c', script);
    expect(output).not.toMatch(/^\/proc/m);
    expect(output).toMatch(/core_pattern: (?:Read-only file system|Permission denied)\nend\n$/);
  });

  it('HOST-M1: the names of keys in keyrings are hidden', async () => {
    expect((await run('sh', '-c', 'cat /proc/keys /proc/key-users; echo end')).output).toBe('end\n');
  });

  it.runIf(existsSync('/usr/bin/perl')).each(refused)('%s', async (_, asks, error) => {
    const { output } = await run('perl', '-e', `${perl}\n${asks}`, process.arch);
    const ends = output.trim().split('\n');
    expect(new Set(ends.map((line) => line.split(' ')[1]))).toEqual(new Set([String(constants.errno[error])]));
    expect(ends.length).toBeGreaterThan(0);
    expect((await readdir(place.project)).filter((name) => name !== 'made')).toEqual([]);
    expect((await stat(join(place.project, 'made'))).mode & 0o7000).toBe(0);
  });

  it.runIf(existsSync('/usr/bin/perl'))('HOST-M1: the calls that programs need work', async () => {
    const asks = `
      try("socket", 1, 1, 0); try("socket", 2, 1, 0); try("socket", 10, 2, 0); try("socket", 16, 3, 0); try("socketpair", 1, 1, 0, $room);
      try("mknod", "pipe", 0010600, 0); try("chmod", "made", 0750); try("open", "made", 0, 04755); try("fchmodat", -100, ".", 02755);
      try("renameat2", -100, "made", -100, "made2", 0); try("renameat2", -100, "made2", -100, "made", 1); try("fcntl", fileno($made), 10, 10);
      mkdir "shared" and try("chmod", "shared", 02775); print fork() == 0 ? exit : wait() > 0 ? "forked 0\\n" : "";`;
    const { output } = await run('perl', '-e', `${perl}\n${asks}`, process.arch);
    expect(
      output
        .trim()
        .split('\n')
        .filter((line) => !line.endsWith(' 0')),
    ).toEqual([]);
    expect(output).toContain('forked');
  });

  it('HOST-M7: keys of the machine and settings with tokens are hidden', async () => {
    const script = `ls -d /etc/ssl/private /etc/pki/tls/private /etc/pki/entitlement 2> /dev/null
      cat /usr/etc/npmrc /usr/local/etc/npmrc /usr/local/etc/gitconfig 2> /dev/null; echo end; ls /etc/ssl/certs | head -n 1`;
    const { output } = await run('sh', '-c', script);
    expect(output).toMatch(/^end\n/);
    expect(output.split('\n')).toHaveLength(existsSync('/etc/ssl/certs') ? 3 : 2);
  });
});
