/** From the smallest to the largest. */
export const profileNames = ['small', 'standard', 'shared'] as const;

type ProfileName = (typeof profileNames)[number];

/** The limits of one profile. */
export type Sizes = {
  /** Concurrent calls to Gemini. */
  readonly maxRunning: number;
  /** Files per call. */
  readonly maxFiles: number;
  /** Bytes of text in the files of a call. */
  readonly maxBytes: number;
  /** Bytes of images, PDFs and other media in a call. Over the Gemini API the call takes about five times as much memory. */
  readonly maxMediaBytes: number;
  /** The most warm CLI processes. */
  readonly warmProcesses: number;
  /** A warm process without a call for this long is ended. */
  readonly warmIdleMs: number;
  /** Concurrent connections to the HTTP server. */
  readonly maxConnections: number;
  /** Concurrent HTTP requests of one principal, including streams. */
  readonly maxRequests: number;
  /** Concurrent MCP sessions. */
  readonly maxSessions: number;
};

/** Limits that operators choose together, because they depend on each other. */
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

/** Waiting calls allowed per running call. */
export const queuedPerRunning = 8;

/** The default of one limit in Markdown, with the profiles that differ: `4` (profile `small`: `2`). */
export function sizeOfProfiles(sizeOf: (sizes: Sizes) => number): string {
  const usual = sizeOf(profiles.standard);
  const others = profileNames
    .filter((name) => sizeOf(profiles[name]) !== usual)
    .map((name) => `\`${name}\`: \`${sizeOf(profiles[name])}\``);
  return others.length === 0 ? `\`${usual}\`` : `\`${usual}\` (profile ${others.join(', ')})`;
}
