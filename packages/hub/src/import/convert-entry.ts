import { escapeName } from '@gemini-mcp/core/internal';
import { convertReferences } from './convert-references.ts';
import type { ImportedServer, ImportName } from './imported-server.ts';

type Members = Readonly<Record<string, unknown>>;

/** An entry as most clients write it: `command` or `url`, with what belongs to it. */
export function convertEntry(name: string, entry: unknown, client: ImportName): ImportedServer | string {
  if (!isObject(entry)) {
    return `${escapeName(name)} is no entry of a server.`;
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

/** What has a meaning for other clients alone, and costs nothing when it is gone. */
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

/** An entry of ours that is made of a client's, member by member. */
export class EntryDraft {
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

  /** The value of a member, which counts as taken over. */
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

  /** Texts by names. Numbers are texts here; null, by which VS Code takes a variable away, is nothing. */
  record(name: string): void {
    const value = this.take(name);
    const pairs = isObject(value) ? Object.entries(value).filter(([, one]) => isPlain(one)) : [];
    this.put(
      name,
      pairs.map(([key, one]) => [key, this.#convert(String(one))]),
    );
  }

  /** Adds to texts by names. */
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

  /** What it is used for, and how the user logs in. */
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
      this.remark('It takes variables from a file there (envFile). Here each is named in env.');
    }
    for (const name of this.#client === 'gemini-cli' ? ofGemini : []) {
      const value = this.take(name);
      if (value !== undefined) {
        this.entry[name] = value;
      }
    }
    this.#login();
  }

  /** No one has agreed to what another program was allowed. */
  #remarkOnTrust(): void {
    if (this.take('trust') === true) {
      this.remark('It is trusted there. Here its calls are confirmed, until you set trust yourself.');
    }
    const unasked = [this.take('alwaysAllow'), this.take('autoApprove')];
    if (unasked.some((list) => list !== undefined)) {
      this.remark('Some of its tools run unasked there. Here their calls are confirmed.');
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

/** What can be written as a text. */
export function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
