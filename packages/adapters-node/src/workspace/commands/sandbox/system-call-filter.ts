/** The offset of a field in the kernel's input to a filter (`struct seccomp_data`). Only the lower half of an argument is read. */
const filterFields = {
  number: 0,
  architecture: 4,
  argument: (index: number): number => 16 + 8 * index,
} as const;

/** `has`: one of these bits is set. `is` and `isNot`: the whole field is, or is not, one of these values. */
type FilterCondition = { readonly field: number; readonly mask?: number } & (
  | { readonly has: number }
  | { readonly is: readonly number[] }
  | { readonly isNot: readonly number[] }
);

type FilterRule = {
  readonly action: number;
  readonly when: readonly FilterCondition[];
};

/** Values of `SECCOMP_RET_*` in linux/seccomp.h. */
const filterActions = {
  allow: 0x7fff_0000,
  killProcess: 0x8000_0000,
  fail: (errorNumber: number): number => 0x0005_0000 + errorNumber,
} as const;

/** Numbers of x86_64 and of aarch64; null for a call that only the first one has. */
const callNumbers = {
  open: [2, null],
  ioctl: [16, 29],
  socket: [41, 198],
  socketpair: [53, 199],
  clone: [56, 220],
  fcntl: [72, 25],
  creat: [85, null],
  chmod: [90, null],
  fchmod: [91, 52],
  ptrace: [101, 117],
  syslog: [103, 116],
  mknod: [133, null],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  openat: [257, 56],
  mknodat: [259, 33],
  fchmodat: [268, 53],
  unshare: [272, 97],
  perf_event_open: [298, 241],
  process_vm_writev: [311, 271],
  renameat2: [316, 276],
  bpf: [321, 280],
  userfaultfd: [323, 282],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  clone3: [435, 435],
  openat2: [437, 437],
  memfd_secret: [447, 447],
  fchmodat2: [452, 452],
} as const satisfies Readonly<Record<string, readonly [number, number | null]>>;

type CallName = keyof typeof callNumbers;

/** Columns of `callNumbers`, and `AUDIT_ARCH_*` in linux/audit.h. */
const architectures: ReadonlyMap<string, { readonly column: 0 | 1; readonly auditNumber: number }> = new Map([
  ['x64', { column: 0, auditNumber: 0xc000_003e }],
  ['arm64', { column: 1, auditNumber: 0xc000_00b7 }],
]);

type Denial = {
  readonly calls: readonly CallName[];
  readonly error: keyof typeof errorNumbers;
  readonly when?: readonly FilterCondition[];
};

const errorNumbers = { EPERM: 1, ENOSYS: 38, EAFNOSUPPORT: 97 } as const;

const argument = (
  index: number,
  test: { has: number } | { is: number[]; mask?: number } | { isNot: number[] },
): FilterCondition => ({
  field: filterFields.argument(index),
  ...test,
});

const families = { AF_UNIX: 1, AF_INET: 2, AF_INET6: 10, AF_NETLINK: 16 } as const;
const netlinkRoute = 0;
const newUserNamespace = 0x1000_0000;
const setUserId = 0o4000;
const setIds = 0o6000;
/** O_CREAT and O_TMPFILE: without them the mode argument is arbitrary. */
const makesFile = 0o100 + 0o20_000_000;
const fileType = 0o170_000;
const devices = [0o020_000, 0o060_000];
const terminalInput = [0x5412, 0x541c];
const leavesDevice = 4;
const firstProcess = 1;
const setSignal = 10;
const goOn = 18;

const denials: readonly Denial[] = [
  {
    // A kernel may lack these, so programs can do without. Keyrings belong to the user, the others read or change the kernel, and no filter
    // can read the flags of `clone3` and `openat2` through their pointers: programs then fall back to the older calls. Memory from
    // `memfd_secret` is not counted anywhere.
    calls: [
      ...(['keyctl', 'add_key', 'request_key', 'perf_event_open', 'bpf', 'userfaultfd'] as const),
      ...(['io_uring_setup', 'io_uring_enter', 'io_uring_register', 'clone3', 'openat2', 'memfd_secret'] as const),
    ],
    error: 'ENOSYS',
  },
  { calls: ['syslog'], error: 'EPERM' },
  { calls: ['unshare', 'clone'], error: 'EPERM', when: [argument(0, { has: newUserNamespace })] },
  // A network namespace does not confine other families, such as AF_VSOCK and AF_ALG.
  {
    calls: ['socket', 'socketpair'],
    error: 'EAFNOSUPPORT',
    when: [argument(0, { isNot: Object.values(families) })],
  },
  {
    calls: ['socket', 'socketpair'],
    error: 'EAFNOSUPPORT',
    when: [argument(0, { is: [families.AF_NETLINK] }), argument(2, { isNot: [netlinkRoute] })],
  },
  { calls: ['ioctl'], error: 'EPERM', when: [argument(1, { is: terminalInput })] },
  { calls: ['mknod'], error: 'EPERM', when: [argument(1, { is: devices, mask: fileType })] },
  { calls: ['mknodat'], error: 'EPERM', when: [argument(2, { is: devices, mask: fileType })] },
  { calls: ['renameat2'], error: 'EPERM', when: [argument(4, { has: leavesDevice })] },
  // `findMovers` recognizes a sandbox by its arguments.
  { calls: ['ptrace'], error: 'EPERM', when: [argument(1, { is: [firstProcess] })] },
  { calls: ['process_vm_writev'], error: 'EPERM', when: [argument(0, { is: [firstProcess] })] },
  // Otherwise the kernel would resume a paused process when a file or a pipe of it changes.
  { calls: ['fcntl'], error: 'EPERM', when: [argument(1, { is: [setSignal] }), argument(2, { is: [goOn] })] },
  // A directory may have the bit for its group, and a filter cannot tell whether a mode is for one: `IdentityFiles` reports the files.
  { calls: ['chmod', 'fchmod'], error: 'EPERM', when: [argument(1, { has: setUserId })] },
  { calls: ['fchmodat', 'fchmodat2'], error: 'EPERM', when: [argument(2, { has: setUserId })] },
  { calls: ['mknod', 'creat'], error: 'EPERM', when: [argument(1, { has: setIds })] },
  { calls: ['mknodat'], error: 'EPERM', when: [argument(2, { has: setIds })] },
  { calls: ['open'], error: 'EPERM', when: [argument(1, { has: makesFile }), argument(2, { has: setIds })] },
  { calls: ['openat'], error: 'EPERM', when: [argument(2, { has: makesFile }), argument(3, { has: setIds })] },
];

/**
 * The system calls that a sandboxed program may not make, as a seccomp filter for `bwrap --seccomp`; null for an architecture of Node
 * (`process.arch`) with unknown call numbers. Calls in another convention, such as a 32-bit program's, end the program.
 */
export function systemCallFilter(architecture: string): Uint8Array | null {
  const known = architectures.get(architecture);
  if (known === undefined) {
    return null;
  }
  const { column, auditNumber } = known;
  const rules = denials.flatMap(({ calls, error, when = [] }): readonly FilterRule[] => {
    const numbers = calls.map((call) => callNumbers[call][column]).filter((number) => number !== null);
    const isCall = { field: filterFields.number, is: numbers };
    return numbers.length === 0 ? [] : [{ action: filterActions.fail(errorNumbers[error]), when: [isCall, ...when] }];
  });
  return assembleFilter([
    {
      action: filterActions.killProcess,
      when: [{ field: filterFields.architecture, isNot: [auditNumber] }],
    },
    // Calls of x32, which have their own numbers.
    { action: filterActions.fail(errorNumbers.ENOSYS), when: [{ field: filterFields.number, has: 0x4000_0000 }] },
    ...rules,
  ]);
}

type Instruction = { readonly code: number; readonly ifTrue: number; readonly ifFalse: number; readonly value: number };

const bytesPerInstruction = 8;

/**
 * A seccomp filter as `struct sock_filter[]` of a little-endian machine, for `bwrap --seccomp`: the first matching rule decides, and a call
 * without a match is allowed.
 */
function assembleFilter(rules: readonly FilterRule[]): Uint8Array {
  const instructions = [...rules.flatMap(assembleRule), returning(filterActions.allow)];
  const bytes = new DataView(new ArrayBuffer(instructions.length * bytesPerInstruction));
  for (const [index, { code, ifTrue, ifFalse, value }] of instructions.entries()) {
    const at = index * bytesPerInstruction;
    bytes.setUint16(at, code, true);
    bytes.setUint8(at + 2, ifTrue);
    bytes.setUint8(at + 3, ifFalse);
    bytes.setUint32(at + 4, value, true);
  }
  return new Uint8Array(bytes.buffer);
}

/** Assembled from the end: a condition that does not hold jumps over the rest of its rule. */
function assembleRule({ action, when }: FilterRule): readonly Instruction[] {
  let rest: readonly Instruction[] = [returning(action)];
  for (const condition of when.toReversed()) {
    rest = [...assembleCondition(condition, rest.length), ...rest];
  }
  return rest;
}

function assembleCondition(condition: FilterCondition, skip: number): readonly Instruction[] {
  const { field, mask } = condition;
  const load = [plain(0x20, field), ...(mask === undefined ? [] : [plain(0x54, mask)])];
  if ('has' in condition) {
    return [...load, { code: 0x45, value: condition.has, ifTrue: 0, ifFalse: skip }];
  }
  const values = 'is' in condition ? condition.is : condition.isNot;
  const [onMatch, otherwise] = 'is' in condition ? [0, skip] : [skip, 0];
  const last = values.length - 1;
  return [
    ...load,
    ...values.map((value, index) => ({
      code: 0x15,
      value,
      ifTrue: last - index + onMatch,
      ifFalse: index === last ? otherwise : 0,
    })),
  ];
}

function returning(action: number): Instruction {
  return plain(0x06, action);
}

function plain(code: number, value: number): Instruction {
  return { code, value, ifTrue: 0, ifFalse: 0 };
}
