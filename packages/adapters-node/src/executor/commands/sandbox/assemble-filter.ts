/** A field of what the kernel hands a filter (`struct seccomp_data`), by its offset. Only the lower half of an argument is read. */
export const filterFields = {
  number: 0,
  architecture: 4,
  argument: (index: number): number => 16 + 8 * index,
} as const;

/** `has`: one of these bits is set. `is` and `isNot`: the whole field is one of these values, or none of them. */
export type FilterCondition = { readonly field: number; readonly mask?: number } & (
  | { readonly has: number }
  | { readonly is: readonly number[] }
  | { readonly isNot: readonly number[] }
);

export type FilterRule = {
  /** What the kernel does with the call if all conditions hold. */
  readonly action: number;
  readonly when: readonly FilterCondition[];
};

/** Values of `SECCOMP_RET_*` in linux/seccomp.h. */
export const filterActions = {
  allow: 0x7fff_0000,
  killProcess: 0x8000_0000,
  fail: (errorNumber: number): number => 0x0005_0000 + errorNumber,
} as const;

type Instruction = { readonly code: number; readonly ifTrue: number; readonly ifFalse: number; readonly value: number };

const bytesPerInstruction = 8;

/**
 * A seccomp filter as `struct sock_filter[]` of a little-endian machine, as `bwrap --seccomp` takes it: the first rule that holds decides,
 * and a call for which none holds is allowed.
 */
export function assembleFilter(rules: readonly FilterRule[]): Uint8Array {
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

/** From its end: a condition that does not hold jumps over the rest of its rule. */
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
