import { escapeName } from '@gemini-mcp/core/internal';
import { convertReferences } from './convert-references.ts';
import { type ImportName, isGeminiLike } from './import-names.ts';

/** A server from another client's settings, converted to ours. */
export type ImportedServer = {
  /** Its name in that client's settings. */
  readonly name: string;
  readonly entry: Readonly<Record<string, unknown>>;
  /** Sentences for the user about members that were not taken over, or that work differently here. */
  readonly remarks: readonly string[];
};

export type Members = Readonly<Record<string, unknown>>;

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

const ofGemini = ['description', 'oauth', 'authProviderType', 'targetAudience', 'targetServiceAccount'];

/** Our entry, built from a client's entry member by member. */
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
    this.#toolFilters();
    for (const name of isGeminiLike(this.#client) ? ofGemini : []) {
      const value = this.take(name);
      if (value !== undefined) {
        this.entry[name] = value;
      }
    }
    this.#login();
  }

  /** Only these tools, and all but these. */
  #toolFilters(): void {
    for (const name of ['includeTools', 'excludeTools']) {
      const names = this.take(name);
      if (Array.isArray(names)) {
        this.entry[name] = names.filter(isPlain).map(String);
      }
    }
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
    const oauth = this.entry['oauth'] === undefined ? this.take('oauth') : undefined;
    const { clientId, clientSecret, scopes } = isObject(oauth) ? oauth : {};
    const pairs = Object.entries({ clientId, clientSecret, scopes })
      .filter(([, value]) => typeof value === 'string' || Array.isArray(value))
      .map(([name, value]) => [name, typeof value === 'string' ? this.#convert(value) : value]);
    if (pairs.length > 0) {
      this.entry['oauth'] = Object.fromEntries(pairs);
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
export function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
