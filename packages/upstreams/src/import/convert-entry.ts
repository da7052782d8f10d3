import { escapeName } from '@gemini-mcp/core/internal';

/** The clients whose settings `mcp import` reads. */
export const importNames = ['gemini-cli', 'claude-code', 'claude-desktop', 'vscode', 'cursor', 'codex'] as const;

export type ImportName = (typeof importNames)[number];

/** A server from another client's settings, converted to ours. */
export type ImportedServer = {
  /** Its name in that client's settings. */
  readonly name: string;
  readonly entry: Readonly<Record<string, unknown>>;
  /** What was not taken over, or works differently here: sentences for the user. */
  readonly remarks: readonly string[];
};

type Members = Readonly<Record<string, unknown>>;

/** Converts an entry as most clients write it, with `command` or `url`. Returns a sentence for the user if that fails. */
export function convertEntry(name: string, entry: unknown, client: ImportName): ImportedServer | string {
  if (!isObject(entry)) {
    return `${escapeName(name)} is not a server entry.`;
  }
  const draft = new EntryDraft(entry, client);
  const isProgram = typeof entry['command'] === 'string';
  if (isProgram) {
    draft.text('command');
    draft.texts('args');
    draft.record('env');
    draft.text('cwd');
  } else {
    draft.address();
    draft.record('headers');
  }
  draft.use();
  if (!isProgram && draft.entry['url'] === undefined && draft.entry['httpUrl'] === undefined) {
    return `${escapeName(name)} has neither command nor url.`;
  }
  return { name, entry: draft.entry, remarks: draft.remarks() };
}

/** Members that only other clients use; dropping them loses nothing. */
const withoutLoss = new Set([
  'type',
  'transport',
  'gallery',
  'version',
  'registryBaseUrl',
  'disabled',
  'enabled',
  'dev',
  'icon',
]);

const ofGemini = [
  'description',
  'includeTools',
  'excludeTools',
  'oauth',
  'authProviderType',
  'targetAudience',
  'targetServiceAccount',
];

/** Our entry, built from a client's entry member by member. */
class EntryDraft {
  readonly entry: Record<string, unknown> = {};
  readonly #from: Members;
  readonly #client: ImportName;
  readonly #taken = new Set<string>(withoutLoss);
  readonly #remarks = new Set<string>();

  constructor(from: Members, client: ImportName) {
    this.#from = from;
    this.#client = client;
  }

  remarks(): readonly string[] {
    const left = Object.keys(this.#from).filter((name) => !this.#taken.has(name));
    return [...this.#remarks, ...(left.length === 0 ? [] : [`Not taken over: ${left.map(escapeName).join(', ')}.`])];
  }

  remark(sentence: string): void {
    this.#remarks.add(sentence);
  }

  /** The value of a member, now marked as taken over. */
  take(name: string): unknown {
    this.#taken.add(name);
    return Object.hasOwn(this.#from, name) ? this.#from[name] : undefined;
  }

  text(name: string): void {
    const value = this.take(name);
    if (typeof value === 'string') {
      this.entry[name] = this.#convert(value);
    }
  }

  texts(name: string): void {
    const value = this.take(name);
    if (Array.isArray(value) && value.length > 0) {
      this.entry[name] = value.filter(isPlain).map((one) => this.#convert(String(one)));
    }
  }

  /** Reads texts by name. Numbers become texts. Drops null, VS Code's way to unset a variable. */
  record(name: string): void {
    const value = this.take(name);
    const pairs = isObject(value) ? Object.entries(value).filter(([, one]) => isPlain(one)) : [];
    this.put(
      name,
      pairs.map(([key, one]) => [key, this.#convert(String(one))]),
    );
  }

  /** Adds pairs to texts by name. */
  put(name: string, pairs: readonly (readonly [string, string])[]): void {
    const before = this.entry[name];
    if (pairs.length > 0) {
      this.entry[name] = Object.fromEntries([...(isObject(before) ? Object.entries(before) : []), ...pairs]);
    }
  }

  address(): void {
    const type = this.#from['type'] ?? this.#from['transport'];
    this.text('url');
    this.text('httpUrl');
    if (this.entry['url'] !== undefined && type === 'sse') {
      this.entry['type'] = 'sse';
    }
    if (this.entry['url'] !== undefined && typeof type === 'string' && /^(?:streamable-?)?http$/i.test(type)) {
      this.entry['type'] = 'http';
    }
  }

  /** Converts which tools may be used, and how the user logs in. */
  use(): void {
    const timeout = this.take('timeout');
    if (typeof timeout === 'number') {
      this.entry['timeout'] = timeout;
    }
    if (this.#from['disabled'] === true || this.#from['enabled'] === false) {
      this.entry['enabled'] = false;
    }
    this.#remarkOnTrust();
    if (typeof this.take('envFile') === 'string') {
      this.remark('That client reads variables from a file (envFile). Here, list each one in env.');
    }
    for (const name of this.#client === 'gemini-cli' ? ofGemini : []) {
      const value = this.take(name);
      if (value !== undefined) {
        this.entry[name] = value;
      }
    }
    this.#login();
  }

  /** Trust given to another program does not carry over. */
  #remarkOnTrust(): void {
    if (this.take('trust') === true) {
      this.remark('That client trusts it. Here you confirm its calls until you set trust yourself.');
    }
    const unasked = [this.take('alwaysAllow'), this.take('autoApprove')];
    if (unasked.some((list) => list !== undefined)) {
      this.remark('That client runs some of its tools unasked. Here you confirm their calls.');
    }
  }

  #login(): void {
    const auth = this.#client === 'cursor' ? this.take('auth') : undefined;
    const oauth = this.#client === 'claude-code' ? this.take('oauth') : undefined;
    const made = isObject(auth)
      ? { clientId: auth['CLIENT_ID'], clientSecret: auth['CLIENT_SECRET'], scopes: auth['scopes'] }
      : isObject(oauth)
        ? { clientId: oauth['clientId'] }
        : {};
    const pairs = Object.entries(made).filter(([, value]) => typeof value === 'string' || Array.isArray(value));
    if (pairs.length > 0) {
      const texts = pairs.map(([name, value]) => [name, typeof value === 'string' ? this.#convert(value) : value]);
      this.entry['oauth'] = Object.fromEntries(texts);
    }
  }

  #convert(value: string): string {
    const { text, remarks } = convertReferences(value, this.#client);
    for (const remark of remarks) {
      this.#remarks.add(remark);
    }
    return text;
  }
}

/** Values that can be written as text. */
function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value with a client's references converted to ours; `remarks` say what changed. */
type ConvertedText = { readonly text: string; readonly remarks: readonly string[] };

type Reference = { readonly text: string; readonly remark?: string };

/** Each client's references. The Gemini CLI's are the same as ours. */
const patterns: Readonly<Record<Exclude<ImportName, 'gemini-cli'>, RegExp | null>> = {
  'claude-code': /\$\{[A-Za-z_]\w*(?::-[^{}]*)?\}/g,
  'claude-desktop': null,
  vscode:
    /\$\{(?:env|input|config|command):[^{}]*\}|\$\{(?:workspaceFolder(?:Basename)?|userHome|pathSeparator|cwd|\/)\}/g,
  cursor: /\$\{env:[^{}]*\}|\$\{(?:workspaceFolder(?:Basename)?|userHome|pathSeparator|\/)\}/g,
  codex: null,
};

/** Escapes text that the client does not treat as a reference but we would. */
export function convertReferences(text: string, client: ImportName): ConvertedText {
  if (client === 'gemini-cli') {
    return { text, remarks: [] };
  }
  const pattern = patterns[client];
  const remarks: string[] = [];
  let converted = '';
  let place = 0;
  for (const { 0: found, index } of pattern === null ? [] : text.matchAll(pattern)) {
    const { text: reference, remark } = convertOne(found);
    remarks.push(...(remark === undefined ? [] : [remark]));
    converted += escapeText(text.slice(place, index)) + reference;
    place = index + found.length;
  }
  converted += escapeText(text.slice(place));
  return { text: guarded(converted), remarks };
}

function convertOne(found: string): Reference {
  const inside = found.slice(2, -1);
  const [, kind, name = ''] = /^(env|input|config|command):(.*)$/.exec(inside) ?? [];
  switch (kind) {
    case undefined:
      return plain(inside) ?? { text: found };
    case 'env':
      return isName(name)
        ? { text: `\${${name}}` }
        : { text: escapeText(found), remark: `${found} has no meaning here.` };
    case 'input': {
      const variable =
        name
          .replace(/\W+/g, '_')
          .replace(/^(?=\d)/, '_')
          .toUpperCase() || 'INPUT';
      return {
        text: `\${${variable}}`,
        remark: `That client asks the user for ${name}. Here it comes from the variable ${variable}: set it, or write keychain:<name> or file:<path> instead.`,
      };
    }
    default:
      return { text: escapeText(found), remark: `${found} has no meaning here: write the value instead.` };
  }
}

function plain(inside: string): Reference | null {
  switch (inside) {
    case 'userHome':
      return { text: `\${HOME}` };
    case 'workspaceFolder':
    case 'cwd':
      return {
        text: `\${PWD}`,
        remark: 'Here the workspace folder is the directory in which this program starts.',
      };
    case 'workspaceFolderBasename':
      return {
        text: escapeText(`\${${inside}}`),
        remark: 'The name of the workspace is unknown here: write it yourself.',
      };
    case 'pathSeparator':
    case '/':
      return { text: '/' };
    default:
      return null;
  }
}

function isName(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name);
}

function escapeText(text: string): string {
  return text.replaceAll('$', '\\$');
}

/** Escapes a whole value such as `file:./data.db`, which we would read as a secret reference. */
function guarded(text: string): string {
  return /^(?:keychain|file):[^${}]*$/.test(text) ? `\${_:-${text}}` : text;
}

/** Converts an entry of `[mcp_servers]` in Codex's config.toml. */
export function convertCodexEntry(name: string, entry: unknown): ImportedServer | string {
  if (!isObject(entry)) {
    return `${escapeName(name)} is not a server entry.`;
  }
  const draft = new EntryDraft(entry, 'codex');
  if (typeof entry['command'] === 'string') {
    draft.text('command');
    draft.texts('args');
    draft.record('env');
    draft.put(
      'env',
      namesIn(draft.take('env_vars')).map((variable) => [variable, `\${${variable}}`]),
    );
    draft.text('cwd');
  } else if (typeof entry['url'] === 'string') {
    draft.text('url');
    takeHeaders(draft);
  } else {
    return `${escapeName(name)} has neither command nor url.`;
  }
  takeUse(draft);
  draft.use();
  return { name, entry: draft.entry, remarks: draft.remarks() };
}

function takeHeaders(draft: EntryDraft): void {
  const token = draft.take('bearer_token_env_var');
  const inline = draft.take('bearer_token');
  const headers = draft.take('http_headers');
  const fromVariables = draft.take('env_http_headers');
  draft.put('headers', [
    ...pairsOf(headers).map(([name, value]) => [name, escapeText(value)] as const),
    ...pairsOf(fromVariables).map(([name, variable]) => [name, `\${${variable}}`] as const),
    ...(typeof token === 'string' ? [['Authorization', `Bearer \${${token}}`] as const] : []),
    ...(typeof inline === 'string' ? [['Authorization', `Bearer ${escapeText(inline)}`] as const] : []),
  ]);
}

function takeUse(draft: EntryDraft): void {
  const seconds = draft.take('tool_timeout_sec');
  if (typeof seconds === 'number' && seconds > 0) {
    draft.entry['timeout'] = Math.round(seconds * 1_000);
  }
  draft.take('startup_timeout_sec');
  draft.take('startup_timeout_ms');
  for (const [from, to] of [
    ['enabled_tools', 'includeTools'],
    ['disabled_tools', 'excludeTools'],
  ] as const) {
    const names = draft.take(from);
    if (Array.isArray(names)) {
      draft.entry[to] = names.filter(isPlain).map(String);
    }
  }
  const scopes = draft.take('scopes');
  if (Array.isArray(scopes) && scopes.length > 0) {
    draft.entry['oauth'] = { scopes: scopes.filter(isPlain).map(String) };
  }
}

/** Reads names, or tables with a name. */
function namesIn(value: unknown): readonly string[] {
  const names = (Array.isArray(value) ? value : []).map((one: unknown) => (isObject(one) ? one['name'] : one));
  return names.filter((name) => typeof name === 'string');
}

function pairsOf(value: unknown): readonly (readonly [string, string])[] {
  return isObject(value)
    ? Object.entries(value).flatMap(([name, text]) => (isPlain(text) ? [[name, String(text)] as const] : []))
    : [];
}
