export type SoakOptions = {
  readonly fakeCalls: number;
  readonly realCalls: number;
};

export const soakUsage: string =
  'Usage: npm run soak -- [--fake=<calls>] [--real=<calls>]   (20000 and 2000 unless given; 0 leaves a part out)';

/** Null for arguments that it does not know. */
export function readSoakOptions(args: readonly string[]): SoakOptions | null {
  let options: SoakOptions = { fakeCalls: 20_000, realCalls: 2_000 };
  for (const arg of args) {
    const [, name, digits] = /^--(fake|real)=(\d+)$/.exec(arg) ?? [];
    if (name === undefined) {
      return null;
    }
    options = { ...options, [name === 'fake' ? 'fakeCalls' : 'realCalls']: Number(digits) };
  }
  return options;
}
