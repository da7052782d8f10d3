/** How to reach the network, through a proxy or with an authority of a company. */
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
 * What every program needs: who the user is, and how to reach the network. Nothing that makes a program load or start another
 * one (NODE_OPTIONS, LD_PRELOAD, BASH_ENV, SHELL, GIT_*), nor npm's own settings (npm_*): npm exports there what the `.npmrc`
 * of a project says.
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

/** How the CLI logs in, and which API it then asks. */
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

/** Variables that a run may see. Anything else of the server's environment stays with the server. */
const inheritedNames: ReadonlySet<string> = new Set([...commonNames, ...googleNames]);

const helperNames: ReadonlySet<string> = new Set(commonNames);

/** Windows otherwise looks for programs in the current directory before it looks at PATH. Other systems ignore it. */
const withoutCurrentDirectory: Readonly<Record<string, string>> = { NoDefaultCurrentDirectoryInExePath: '1' };

/** The last one opens the server itself: no run and no program that helps us is to know it. */
const secretNames: readonly string[] = ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GEMINI_MCP_TOKEN'];

/** Variables as this process has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

export type ChildEnvironmentOptions = {
  readonly environment: Environment;
  /** Where the run looks for programs, as `ProgramPath` says it: the PATH of `environment` is not handed on. */
  readonly path: string;
  /** Takes the place of the user's home for all that the CLI keeps. */
  readonly homeDirectory: string;
  readonly temporaryDirectory: string;
  /** What this run needs besides; beats everything else. */
  readonly variables?: Readonly<Record<string, string>>;
};

/** The whole environment of a run: what is allowed of ours, and what we set. */
export function buildChildEnvironment(options: ChildEnvironmentOptions): Readonly<Record<string, string>> {
  return {
    ...inheritedOnly(options.environment),
    ...withoutCurrentDirectory,
    PATH: options.path,
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
    ...options.variables,
  };
}

/**
 * Other ways to log in, and the project that would pay: a run with a key of its own must know none of them. The settings of
 * a trusted directory may choose another kind of login than ours.
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

/** The environment of a run that logs in with this key and with nothing else; null leaves it as it is. */
export function withOwnKey(environment: Environment, apiKey: string | null): Environment {
  if (apiKey === null) {
    return environment;
  }
  const others = Object.entries(environment).filter(([name]) => !loginNames.has(name.toUpperCase()));
  return { ...Object.fromEntries(others), GEMINI_API_KEY: apiKey };
}

/** Where an environment says that programs are looked for. */
export function searchPathOf(environment: Environment): string {
  return environment['PATH'] ?? environment['Path'] ?? '';
}

/** Values that must never be shown. */
export function secretValues(environment: Environment): readonly string[] {
  return secretNames.flatMap((name) => environment[name] ?? []);
}

/** The whole environment of a program that helps us and needs no login, such as npx. `path` is where it looks for programs. */
export function buildHelperEnvironment(environment: Environment, path: string): Readonly<Record<string, string>> {
  return { ...selectNames(environment, helperNames), ...withoutCurrentDirectory, PATH: path };
}

/** What of an environment a run may see. PATH is not of it. */
export function inheritedOnly(environment: Environment): Record<string, string> {
  return selectNames(environment, inheritedNames);
}

const carriedNames: ReadonlySet<string> = new Set([...googleNames, ...networkNames]);

/**
 * The variables of this environment by which the CLI logs in and reaches its API: what a client that starts the server has to
 * pass on. Names as the environment spells them, never values; one that is empty counts as not set.
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
