const bySize = 'The size of the server is one setting now, GEMINI_MCP_PROFILE (--profile).';
const sessionsEnd = 'A session ends after 10 minutes without a request and without an open stream.';

type RemovedSetting = {
  readonly variable: string;
  readonly flag: string;
  /** What took its place, in a sentence for the person who set it. */
  readonly replacement: string;
};

/** Settings that earlier versions had. One that is still set is reported, so that its owner does not believe in its effect. */
export const removedSettings: readonly RemovedSetting[] = [
  {
    variable: 'GEMINI_MCP_MAX_QUEUED',
    flag: 'max-queued',
    replacement: 'Eight calls wait for each one that may run (GEMINI_MCP_MAX_RUNNING, --max-running).',
  },
  { variable: 'GEMINI_MCP_WARM_PROCESSES', flag: 'warm-processes', replacement: bySize },
  { variable: 'GEMINI_MCP_WARM_IDLE_SECONDS', flag: 'warm-idle-seconds', replacement: bySize },
  {
    variable: 'GEMINI_MCP_WARM_MEMORY_MB',
    flag: 'warm-memory-mb',
    replacement: 'A process that holds more than 700 MiB is replaced.',
  },
  {
    variable: 'GEMINI_MCP_HTTP_SESSION_IDLE_SECONDS',
    flag: 'http-session-idle-seconds',
    replacement: sessionsEnd,
  },
  { variable: 'GEMINI_MCP_HTTP_MAX_SESSIONS', flag: 'http-max-sessions', replacement: bySize },
  { variable: 'GEMINI_MCP_HTTP_MAX_CONNECTIONS', flag: 'http-max-connections', replacement: bySize },
  { variable: 'GEMINI_MCP_HTTP_MAX_REQUESTS', flag: 'http-max-requests', replacement: bySize },
  {
    variable: 'GEMINI_MCP_HTTP_MAX_BODY_BYTES',
    flag: 'http-max-body-bytes',
    replacement: 'The body of a request may have 4 MiB.',
  },
];
