/** A process can only end with a byte, so the CLI's exit code for an API error is the HTTP status modulo 256. */
const statuses: readonly number[] = [400, 401, 403, 404, 408, 413, 429, 499, 500, 501, 502, 503, 504];

/** The HTTP status of an exit code of the CLI, null where there is none. */
export function httpStatusOfExitCode(exitCode: number | null): number | null {
  return statuses.find((status) => status % 256 === exitCode) ?? null;
}
