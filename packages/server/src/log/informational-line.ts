/** What Gemini CLI 0.61.0 writes to stderr while nothing is wrong with the run, seen in real runs. */
const informational: readonly RegExp[] = [
  /^Warning: (?:256-color|[Tt]rue[- ]?[Cc]olor|.*\bTERM=dumb|.*\btmux\b|.*\bJetBrains\b)/,
  /^\[STARTUP\] /,
  /^YOLO mode is enabled\. /,
  /^Ripgrep is not available\. /,
  /^MCP issues detected\. /,
  /^Blocked dangerous environment variable override/,
  /^Both GOOGLE_API_KEY and GEMINI_API_KEY are set\. /,
  /^Attempt \d+ failed/,
  /^\s+at \S/,
  /^Error executing tool /,
  /^Error when talking to Gemini API Full report available at: /,
  /^Error generating content via API\. /,
  /^\[Routing\] /,
  /^Invalid configuration in /,
  /^Warning: (?:--allowed-tools|tools\.exclude)/,
  /^Security Warning: Skipping /,
  /^Skipping project agents due to untrusted folder\. /,
  /^Project hooks disabled because the folder is not trusted\./,
  /^WARNING: The following project-level hooks have been detected/,
  /^Warning: stdin input truncated/,
  /^Could not find promptId in context for /,
  /^Error handling request \{/,
  /^\[WARN\] Skipping unreadable directory: /,
  /^Loaded cached credentials\./,
  /^\s*$/,
];

/**
 * Whether a line of the CLI's stderr is one that runs which answer write as well, however alarming it sounds. Why a run
 * failed is read from its outcome, never from such a line alone.
 */
export function isInformational(line: string): boolean {
  return informational.some((pattern) => pattern.test(line));
}
