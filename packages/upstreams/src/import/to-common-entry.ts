import { isObject, isPlain, type Members } from './entry-draft.ts';
import type { ImportName } from './import-names.ts';

/** Rewrites a client's entry with the members that most clients use: `command` or `url`, `env`, `headers`, a timeout in milliseconds. */
export function toCommonEntry(entry: Members, client: ImportName): Members {
  return rewriters[client]?.(entry) ?? entry;
}

const rewriters: Readonly<Partial<Record<ImportName, (entry: Members) => Members>>> = {
  'claude-code': ({ oauth, ...rest }) => ({ ...rest, ...login({ clientId: textOf(oauth, 'clientId') }) }),
  cursor: ({ auth, ...rest }) => ({
    ...rest,
    ...login({
      clientId: textOf(auth, 'CLIENT_ID'),
      clientSecret: textOf(auth, 'CLIENT_SECRET'),
      scopes: isObject(auth) ? auth['scopes'] : undefined,
    }),
  }),
  opencode: fromOpencode,
  'copilot-cli': ({ tools, ...rest }) => ({
    ...rest,
    ...(Array.isArray(tools) && !tools.includes('*') ? { includeTools: tools } : {}),
  }),
  cline: fromCline,
  continue: fromContinue,
  antigravity: ({ serverUrl, disabledTools, ...rest }) => ({
    ...rest,
    ...(serverUrl === undefined ? {} : { url: serverUrl }),
    ...excluding(disabledTools),
  }),
  zed: fromZed,
  kiro: ({ disabledTools, oauth, oauthScopes, ...rest }) => ({
    ...rest,
    ...excluding(disabledTools),
    ...login({ clientId: textOf(oauth, 'clientId'), scopes: oauthScopes }),
  }),
};

/** The command is a list. The second major version disables by `disabled`, and has one timeout for each phase. */
function fromOpencode({ command, environment, timeout, oauth, ...rest }: Members): Members {
  const [program, ...args] = Array.isArray(command) ? command : [command];
  const scope = textOf(oauth, 'scope');
  return {
    ...rest,
    ...(program === undefined ? {} : { command: program, args }),
    ...(environment === undefined ? {} : { env: environment }),
    timeout: isObject(timeout) ? timeout['request'] : timeout,
    ...login({
      clientId: textOf(oauth, 'clientId') ?? textOf(oauth, 'client_id'),
      clientSecret: textOf(oauth, 'clientSecret') ?? textOf(oauth, 'client_secret'),
      scopes: scope?.split(' '),
    }),
  };
}

/** Accepts the members of `transport` outside of it too. Leaves out `oauth`: it holds the tokens of that client. */
function fromCline({
  transport,
  transportType,
  timeout,
  oauthClient,
  oauth: _,
  metadata: __,
  ...rest
}: Members): Members {
  const members = { ...rest, ...(isObject(transport) ? transport : {}) };
  const type = members['type'] ?? transportType ?? (members['url'] === undefined ? undefined : 'sse');
  return {
    ...members,
    ...(type === undefined ? {} : { type }),
    timeout: toMilliseconds(timeout),
    ...login({ clientId: textOf(oauthClient, 'clientId'), clientSecret: textOf(oauthClient, 'clientSecret') }),
  };
}

function fromContinue({ name: _, requestOptions, apiKey, ...rest }: Members): Members {
  const { headers, ...options } = isObject(requestOptions) ? requestOptions : {};
  const all = {
    ...(isObject(headers) ? headers : {}),
    ...(isPlain(apiKey) ? { Authorization: `Bearer ${apiKey}` } : {}),
  };
  return { ...rest, ...options, ...(Object.keys(all).length === 0 ? {} : { headers: all }) };
}

/** Older settings nest the program: `"command": { "path": … }`. */
function fromZed({ command, timeout, source: _, oauth, ...rest }: Members): Members {
  const { path, ...nested } = isObject(command) ? command : { path: command };
  return {
    ...rest,
    ...nested,
    ...(path === undefined ? {} : { command: path }),
    timeout: toMilliseconds(timeout),
    ...login({ clientId: textOf(oauth, 'client_id'), clientSecret: textOf(oauth, 'client_secret') }),
  };
}

/** Our `oauth`, or nothing without a value. */
function login(oauth: Members): Members {
  return Object.values(oauth).every((value) => value === undefined) ? {} : { oauth };
}

function excluding(tools: unknown): Members {
  return Array.isArray(tools) && tools.length > 0 ? { excludeTools: tools } : {};
}

function textOf(value: unknown, name: string): string | undefined {
  const text = isObject(value) ? value[name] : undefined;
  return typeof text === 'string' ? text : undefined;
}

function toMilliseconds(seconds: unknown): number | undefined {
  return typeof seconds === 'number' ? seconds * 1_000 : undefined;
}
