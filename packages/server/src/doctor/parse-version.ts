/** The three numbers that a version begins with; null for what is no version. */
export function parseVersion(text: string): readonly [number, number, number] | null {
  const match = /^v?(\d+)\.(\d+)\.(\d+)/.exec(text);
  return match === null ? null : [Number(match[1]), Number(match[2]), Number(match[3])];
}

/** Whether one version is older than the other, up to the numbers that both have. */
export function isOlder(version: readonly number[], than: readonly number[]): boolean {
  const position = than.findIndex((number, index) => version[index] !== number);
  return position !== -1 && (version[position] ?? 0) < (than[position] ?? 0);
}
