/** Says that an answer was longer than is read. */
export function describeTooLong(maxBytes: number): string {
  return `The answer was longer than ${Math.floor(maxBytes / 1_000_000)} MB and was not read.`;
}
