/** From the least that a server takes on to the most. */
export const profileNames = ['small', 'standard', 'shared'] as const;

type ProfileName = (typeof profileNames)[number];

/** How much a server takes on. */
export type Sizes = {
  /** Calls to Gemini at one time. */
  readonly maxRunning: number;
  /** Files of one call. */
  readonly maxFiles: number;
  /** Bytes of text in the files of one call. */
  readonly maxBytes: number;
  /** Bytes of images, PDFs and other media in one call: it takes about five times as many in memory where the Gemini API carries it. */
  readonly maxMediaBytes: number;
  /** Processes of the CLI that are kept running at one time, at most. */
  readonly warmProcesses: number;
  /** A process without a call for this long is ended. */
  readonly warmIdleMs: number;
  /** Connections to the HTTP server. */
  readonly maxConnections: number;
  /** HTTP requests of one principal at one time, streams among them. */
  readonly maxRequests: number;
  /** MCP sessions at one time. */
  readonly maxSessions: number;
};

/** All that operators choose at once, because none of it makes sense alone. */
export const profiles: Readonly<Record<ProfileName, Sizes>> = {
  small: {
    maxRunning: 2,
    maxFiles: 2_000,
    maxBytes: 10_000_000,
    maxMediaBytes: 14_000_000,
    warmProcesses: 1,
    warmIdleMs: 120_000,
    maxConnections: 256,
    maxRequests: 32,
    maxSessions: 100,
  },
  standard: {
    maxRunning: 4,
    maxFiles: 2_000,
    maxBytes: 10_000_000,
    maxMediaBytes: 50_000_000,
    warmProcesses: 4,
    warmIdleMs: 600_000,
    maxConnections: 1_024,
    maxRequests: 64,
    maxSessions: 1_000,
  },
  shared: {
    maxRunning: 16,
    maxFiles: 2_000,
    maxBytes: 10_000_000,
    maxMediaBytes: 14_000_000,
    warmProcesses: 8,
    warmIdleMs: 600_000,
    maxConnections: 4_096,
    maxRequests: 2_048,
    maxSessions: 4_096,
  },
};

/** Calls that wait, for each that may run. */
export const queuedPerRunning = 8;

/** One thing of the usual profile as a default, in Markdown, with those of the profiles that differ: `4` (profile `small`: `2`). */
export function sizeOfProfiles(sizeOf: (sizes: Sizes) => number): string {
  const usual = sizeOf(profiles.standard);
  const others = profileNames
    .filter((name) => sizeOf(profiles[name]) !== usual)
    .map((name) => `\`${name}\`: \`${sizeOf(profiles[name])}\``);
  return others.length === 0 ? `\`${usual}\`` : `\`${usual}\` (profile ${others.join(', ')})`;
}
