import { profileNames, profiles, queuedPerRunning, type Sizes } from './profiles.ts';

const rows: readonly (readonly [what: string, of: (sizes: Sizes) => number])[] = [
  ['Calls to Gemini at one time, unless `GEMINI_MCP_MAX_RUNNING` says it', ({ maxRunning }) => maxRunning],
  ['Calls that wait', ({ maxRunning }) => queuedPerRunning * maxRunning],
  ['Files of one call', ({ maxFiles }) => maxFiles],
  ['Bytes of text in them', ({ maxBytes }) => maxBytes],
  ['Bytes of media in one call', ({ maxMediaBytes }) => maxMediaBytes],
  ['Processes that are kept running', ({ warmProcesses }) => warmProcesses],
  ['Minutes after which a process without a call is ended', ({ warmIdleMs }) => warmIdleMs / 60_000],
  ['Connections to the HTTP server', ({ maxConnections }) => maxConnections],
  ['HTTP requests of one principal at one time, streams among them', ({ maxRequests }) => maxRequests],
  ['MCP sessions', ({ maxSessions }) => maxSessions],
];

/** The profiles as a table of Markdown. */
export function profilesReference(): string {
  const head = ['', ...profileNames.map((name) => `\`${name}\``)];
  const cells = rows.map(([what, of]) => [
    what,
    ...profileNames.map((name) => of(profiles[name]).toLocaleString('en')),
  ]);
  return [head, head.map(() => '---'), ...cells]
    .map((row) => `| ${row.join(' | ')} |`.replace(/^\| {2}\|/, '| |'))
    .join('\n');
}
