/** Network settings: proxies and a company's certificate authority. */
const networkNames: readonly string[] = [
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'ALL_PROXY',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
];

/**
 * The variables that every program needs: the user's identity and the network settings. Excludes everything that makes a program load or
 * start another one (NODE_OPTIONS, LD_PRELOAD, BASH_ENV, SHELL, GIT_*), and npm's own settings (npm_*): npm exports the contents of a
 * project's `.npmrc` there.
 */
const commonNames: readonly string[] = [
  'HOME',
  'USER',
  'LOGNAME',
  'LANG',
  'LANGUAGE',
  'TZ',
  ...networkNames,
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
];

/** How the CLI logs in, and which API it then uses. */
const googleNames: readonly string[] = [
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
];

/** The variables that a run may see. All others of the server's environment stay with the server. */
const inheritedNames: ReadonlySet<string> = new Set([...commonNames, ...googleNames]);

const helperNames: ReadonlySet<string> = new Set(commonNames);

/** Windows otherwise searches the current directory for programs before PATH. Other systems ignore this. */
const withoutCurrentDirectory: Readonly<Record<string, string>> = { NoDefaultCurrentDirectoryInExePath: '1' };

/** The last one grants access to the server itself: neither a run nor a program that we use may see it. */
const secretNames: readonly string[] = ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GEMINI_MCP_TOKEN'];

/** The variables of this process. */
export type Environment = Readonly<Record<string, string | undefined>>;

export type ChildEnvironmentOptions = {
  readonly environment: Environment;
  /** Where the run searches for programs, from `ProgramPath`: the PATH of `environment` is not passed on. */
  readonly path: string;
  /** Replaces the user's home for everything that the CLI stores. */
  readonly homeDirectory: string;
  readonly temporaryDirectory: string;
  /** Further variables of this run; they override all others. */
  readonly variables?: Readonly<Record<string, string>>;
};

/** The whole environment of a run: the allowed variables of ours, and those that we set. */
export function buildChildEnvironment(options: ChildEnvironmentOptions): Readonly<Record<string, string>> {
  return {
    ...inheritedOnly(options.environment),
    ...withoutCurrentDirectory,
    PATH: options.path,
    GEMINI_CLI_HOME: options.homeDirectory,
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
    // One process instead of a parent that forwards no signals; this also saves the parent's start-up time.
    GEMINI_CLI_NO_RELAUNCH: '1',
    NO_COLOR: '1',
    NO_BROWSER: 'true',
    TERM: 'dumb',
    TMPDIR: options.temporaryDirectory,
    TEMP: options.temporaryDirectory,
    TMP: options.temporaryDirectory,
    ...options.variables,
  };
}

/**
 * Other ways to log in, and the project to bill: a run with its own key must see neither. The settings of a trusted directory may choose
 * another kind of login than ours.
 */
const loginNames: ReadonlySet<string> = new Set([
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'GOOGLE_GENAI_USE_GCA',
  'GOOGLE_GENAI_USE_VERTEXAI',
  'GOOGLE_APPLICATION_CREDENTIALS',
  'GOOGLE_CLOUD_PROJECT',
  'GOOGLE_CLOUD_PROJECT_ID',
  'GOOGLE_CLOUD_LOCATION',
]);

/** The environment of a run that logs in with this key only; null leaves it unchanged. */
export function withOwnKey(environment: Environment, apiKey: string | null): Environment {
  if (apiKey === null) {
    return environment;
  }
  const others = Object.entries(environment).filter(([name]) => !loginNames.has(name.toUpperCase()));
  return { ...Object.fromEntries(others), GEMINI_API_KEY: apiKey };
}

/** The search path for programs in an environment. */
export function searchPathOf(environment: Environment): string {
  return environment['PATH'] ?? environment['Path'] ?? '';
}

/** Values that must never be shown. */
export function secretValues(environment: Environment): readonly string[] {
  return secretNames.flatMap((name) => environment[name] ?? []);
}

/** The whole environment of a program that we use and that needs no login, such as npx. `path` is its search path for programs. */
export function buildHelperEnvironment(environment: Environment, path: string): Readonly<Record<string, string>> {
  return { ...selectNames(environment, helperNames), ...withoutCurrentDirectory, PATH: path };
}

/** The variables that a run may see, without PATH. */
export function inheritedOnly(environment: Environment): Record<string, string> {
  return selectNames(environment, inheritedNames);
}

const carriedNames: ReadonlySet<string> = new Set([...googleNames, ...networkNames]);

/**
 * The variables in this environment with which the CLI logs in and reaches its API: a client that starts the server has to pass them on.
 * Returns names as the environment spells them, never values; an empty variable counts as not set.
 */
export function carriedVariables(environment: Environment): readonly string[] {
  return Object.keys(environment).filter((name) => carriedNames.has(name.toUpperCase()) && environment[name]);
}

function selectNames(environment: Environment, names: ReadonlySet<string>): Record<string, string> {
  const entries = Object.entries(environment).flatMap(([name, value]): [string, string][] =>
    value !== undefined && (names.has(name.toUpperCase()) || name.toUpperCase().startsWith('LC_'))
      ? [[name, value]]
      : [],
  );
  return Object.fromEntries(entries);
}
