/** Says that an answer was longer than is read. */
export function describeTooLong(maxBytes: number): string {
  const size = maxBytes < 1_000_000 ? `${Math.floor(maxBytes / 1_000)} kB` : `${Math.floor(maxBytes / 1_000_000)} MB`;
  return `The answer was longer than ${size} and was not read.`;
}
