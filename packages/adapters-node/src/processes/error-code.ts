/** The system's code of a failed call (`ENOENT`); null for any other error. */
export function errorCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

export function isMissing(error: unknown): boolean {
  return errorCode(error) === 'ENOENT';
}
