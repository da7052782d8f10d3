import { describe, expect, it } from 'vitest';
import { systemCallFilter } from './system-call-filter.ts';

const allow = 0x7fff_0000;
const kill = 0x8000_0000;
const fail = (errorNumber: number): number => 0x0005_0000 + errorNumber;

type Call = { readonly architecture: number; readonly number: number; readonly words?: readonly number[] };

/** Simulates the kernel: the five instructions of classic BPF that the filter consists of. */
function judge(filter: Uint8Array, { architecture, number, words = [] }: Call): number {
  const data = new DataView(new ArrayBuffer(64));
  data.setUint32(0, number, true);
  data.setUint32(4, architecture, true);
  for (const [index, word] of words.entries()) {
    data.setUint32(16 + 8 * index, word, true);
    // The upper half of a register that holds an int is arbitrary.
    data.setUint32(20 + 8 * index, 0xdead_beef, true);
  }
  const program = new DataView(filter.buffer);
  let value = 0;
  for (let at = 0; ; at += 8) {
    const [code, operand] = [program.getUint16(at, true), program.getUint32(at + 4, true)];
    const jump = (isTrue: boolean): number => 8 * program.getUint8(at + (isTrue ? 2 : 3));
    switch (code) {
      case 0x20:
        value = data.getUint32(operand, true);
        break;
      case 0x54:
        value = (value & operand) >>> 0;
        break;
      case 0x15:
        at += jump(value === operand);
        break;
      case 0x45:
        at += jump((value & operand) !== 0);
        break;
      case 0x06:
        return operand;
      default:
        throw new Error(`No such instruction: ${code}`);
    }
  }
}

describe.each([
  {
    name: 'x64',
    architecture: 0xc000_003e,
    other: 0x4000_0003,
    numbers: { read: 0, keyctl: 250, socket: 41, openat: 257, mknodat: 259, fchmodat: 268 },
  },
  {
    name: 'arm64',
    architecture: 0xc000_00b7,
    other: 0x4000_0028,
    numbers: { read: 63, keyctl: 219, socket: 198, openat: 56, mknodat: 33, fchmodat: 53 },
  },
])('the system call filter of $name', ({ name, architecture, other, numbers }) => {
  const filter = systemCallFilter(name) ?? new Uint8Array();
  const end = (call: keyof typeof numbers, ...words: readonly number[]): number =>
    judge(filter, { architecture, number: numbers[call], words });

  it('ends a program that calls in another convention', () => {
    expect(judge(filter, { architecture: other, number: numbers.read })).toBe(kill);
  });

  it.each([0x4000_0000, 0x4000_0001, 0xffff_ffff])('has no call with the number %i', (number) => {
    expect(judge(filter, { architecture, number })).toBe(fail(38));
  });

  it('HOST-M1: judges a call by its number and by the lower halves of its arguments', () => {
    expect(end('read', 0, 0, 0)).toBe(allow);
    expect(end('keyctl')).toBe(fail(38));
    expect([1, 2, 10].map((family) => end('socket', family, 1, 7))).toEqual([allow, allow, allow]);
    expect([0, 17, 38, 40].map((family) => end('socket', family, 1, 0))).toEqual(
      Array.from({ length: 4 }, () => fail(97)),
    );
    expect([end('socket', 16, 3, 0), end('socket', 16, 3, 16)]).toEqual([allow, fail(97)]);
    expect([end('openat', 3, 0, 0o4755), end('openat', 3, 0o101, 0o755)]).toEqual([allow, allow]);
    expect([end('openat', 3, 0, 0o101, 0o4755), end('openat', 3, 0, 0o20_200_001, 0o2755)]).toEqual([fail(1), fail(1)]);
    expect(end('openat', 3, 0, 0o1, 0o4755)).toBe(allow);
    expect([0o010_600, 0o100_644, 0o140_600].map((mode) => end('mknodat', 3, 0, mode))).toEqual([allow, allow, allow]);
    expect([0o020_600, 0o060_600, 0o104_755].map((mode) => end('mknodat', 3, 0, mode))).toEqual(
      Array.from({ length: 3 }, () => fail(1)),
    );
    expect([end('fchmodat', 3, 0, 0o2775), end('fchmodat', 3, 0, 0o4755)]).toEqual([allow, fail(1)]);
  });
});

describe('the system call filter', () => {
  it('does not exist for another architecture', () => {
    expect(systemCallFilter('riscv64')).toBeNull();
  });
});
