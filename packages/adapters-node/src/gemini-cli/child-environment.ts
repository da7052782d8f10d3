/** Variables that a run may see. Anything else of the server's environment stays with the server. */
const inheritedNames: ReadonlySet<string> = new Set([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LANGUAGE',
  'TZ',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'ALL_PROXY',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'GOOGLE_GENAI_USE_GCA',
  'GOOGLE_GENAI_USE_VERTEXAI',
  'GOOGLE_GENAI_API_VERSION',
  'GOOGLE_GEMINI_BASE_URL',
  'GOOGLE_VERTEX_BASE_URL',
  'GOOGLE_CLOUD_PROJECT',
  'GOOGLE_CLOUD_PROJECT_ID',
  'GOOGLE_CLOUD_LOCATION',
  'GOOGLE_APPLICATION_CREDENTIALS',
  'GEMINI_API_KEY_AUTH_MECHANISM',
  // Windows cannot start Node without these.
  'SYSTEMROOT',
  'SYSTEMDRIVE',
  'WINDIR',
  'COMSPEC',
  'PATHEXT',
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
  'PROGRAMDATA',
]);

const secretNames: readonly string[] = ['GEMINI_API_KEY', 'GOOGLE_API_KEY'];

export type ChildEnvironmentOptions = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Takes the place of the user's home for all that the CLI keeps. */
  readonly homeDirectory: string;
  readonly temporaryDirectory: string;
};

/** The whole environment of a run: what is allowed of ours, and what we set. */
export function buildChildEnvironment(options: ChildEnvironmentOptions): Readonly<Record<string, string>> {
  return {
    ...inherited(options.environment),
    GEMINI_CLI_HOME: options.homeDirectory,
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
    // One process instead of a parent that forwards no signals; saves its start-up as well.
    GEMINI_CLI_NO_RELAUNCH: '1',
    NO_COLOR: '1',
    NO_BROWSER: 'true',
    TERM: 'dumb',
    TMPDIR: options.temporaryDirectory,
    TEMP: options.temporaryDirectory,
    TMP: options.temporaryDirectory,
  };
}

/** Values that must never be shown. */
export function secretValues(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  return secretNames.flatMap((name) => environment[name] ?? []);
}

function inherited(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const entries = Object.entries(environment).flatMap(([name, value]): [string, string][] =>
    value !== undefined && isInherited(name) ? [[name, value]] : [],
  );
  return Object.fromEntries(entries);
}

function isInherited(name: string): boolean {
  const upper = name.toUpperCase();
  return inheritedNames.has(upper) || upper.startsWith('LC_');
}
