import { ConfigurationError } from '../../settings/configuration-error.ts';
import type { AddAction } from './mcp-action.ts';
import { firstOf, readScope, scopeForm } from './read-scope.ts';
import type { FlagForms, ReadWords } from './word-reader.ts';

const many = { takesValue: true, isList: true };
const one = { takesValue: true };

/** Those of `gemini mcp add`, and `--replace`. */
export const addForms: FlagForms = {
  scope: scopeForm,
  transport: { ...one, short: 't' },
  type: one,
  env: { ...many, short: 'e' },
  header: { ...many, short: 'H' },
  timeout: one,
  trust: { takesValue: false },
  description: one,
  'include-tools': many,
  'exclude-tools': many,
  replace: { takesValue: false },
};

/** What `mcp add` writes down. Throws a `ConfigurationError` for what no server can be made of. */
export function readAdd(given: ReadWords): AddAction {
  const { flags } = given;
  const [server, place, ...others] = given.words;
  if (server === undefined || place === undefined) {
    throw new ConfigurationError(
      `mcp add: ${server === undefined ? 'a name' : `the command or the address of ${JSON.stringify(server)}`} is missing, such as: mcp add files npx -y @modelcontextprotocol/server-filesystem "$PWD"`,
    );
  }
  if (/\s/.test(server)) {
    throw new ConfigurationError(
      `mcp add: the name ${JSON.stringify(server)} has blanks. Give one without, such as ${JSON.stringify(server.trim().replace(/\s+/g, '-'))}.`,
    );
  }
  const transport = readTransport(flags, place);
  // Right after the command it only ends the flags.
  const words = [place, ...(others[0] === '--' ? others.slice(1) : others)];
  return {
    action: 'add',
    server,
    scope: readScope(flags) ?? 'user',
    entry: {
      ...(transport === 'stdio' ? programOf(words, flags) : addressOf(words, transport, flags)),
      ...useOf(flags),
    },
    replaces: flags.has('replace'),
    remarks: transport === 'stdio' ? remarksOn(words) : [],
  };
}

type Transport = 'stdio' | 'http' | 'sse' | 'either';

function readTransport(flags: ReadWords['flags'], place: string): Transport {
  const given = firstOf(flags, 'transport') ?? firstOf(flags, 'type');
  const isAddress = /^https?:\/\//i.test(place);
  if (given === null) {
    return isAddress ? 'either' : 'stdio';
  }
  if (given !== 'stdio' && given !== 'http' && given !== 'sse') {
    throw new ConfigurationError(`--transport: ${JSON.stringify(given)} is none of stdio, http, sse`);
  }
  if ((given === 'stdio') === isAddress) {
    const wanted = isAddress ? 'an address is reached by http or sse' : 'an address begins with https:// or http://';
    throw new ConfigurationError(`--transport ${given}: it does not go with ${JSON.stringify(place)}: ${wanted}.`);
  }
  return given;
}

function programOf(
  [command, ...args]: readonly string[],
  flags: ReadWords['flags'],
): Readonly<Record<string, unknown>> {
  if (command === undefined || command === '') {
    throw new ConfigurationError('mcp add: the command is missing.');
  }
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(command)) {
    throw new ConfigurationError(
      `mcp add: ${JSON.stringify(command)} is no command, and an address begins with https:// or http://.`,
    );
  }
  refuseFor('a command', 'header', flags);
  const env = readEnvironment(flags.get('env') ?? []);
  return {
    command,
    ...(args.length === 0 ? {} : { args }),
    ...(env.length === 0 ? {} : { env: Object.fromEntries(env) }),
  };
}

function addressOf(
  [url = '', surplus]: readonly string[],
  transport: Exclude<Transport, 'stdio'>,
  flags: ReadWords['flags'],
): Readonly<Record<string, unknown>> {
  if (surplus !== undefined) {
    throw new ConfigurationError(`${JSON.stringify(surplus)}: mcp add takes no further word after an address`);
  }
  refuseFor('an address', 'env', flags);
  const headers = (flags.get('header') ?? []).map(readHeader);
  return {
    url,
    ...(transport === 'either' ? {} : { type: transport }),
    ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) }),
  };
}

function refuseFor(what: string, flag: string, flags: ReadWords['flags']): void {
  if (flags.has(flag)) {
    throw new ConfigurationError(`--${flag}: it has no meaning for ${what}`);
  }
}

function readEnvironment(values: readonly string[]): readonly (readonly [string, string])[] {
  return values.map((value) => {
    const [, name, text = ''] = /^([^=]*)=(.*)$/s.exec(value) ?? [];
    if (name === undefined) {
      throw new ConfigurationError(
        `--env: give it as NAME=value, or as '${shownName(value)}=$${shownName(value)}' to take it from the environment each time.`,
      );
    }
    if (!/^[A-Za-z_]\w*$/.test(name)) {
      throw new ConfigurationError(`--env: ${JSON.stringify(name)} is no name of a variable.`);
    }
    return [name, text];
  });
}

/** A value is never repeated: it may be a secret. */
function shownName(value: string): string {
  return /^[A-Za-z_]\w{0,40}$/.test(value) ? value : 'NAME';
}

function readHeader(value: string): readonly [string, string] {
  const [, name, text = ''] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*)$/s.exec(value) ?? [];
  if (name === undefined) {
    throw new ConfigurationError('--header: give it as "Name: value".');
  }
  if (/[\0\r\n]/.test(text)) {
    throw new ConfigurationError(`--header: the value of ${name} has a line end, which no header has.`);
  }
  return [name, text.trimEnd()];
}

function useOf(flags: ReadWords['flags']): Readonly<Record<string, unknown>> {
  const timeout = firstOf(flags, 'timeout');
  const description = firstOf(flags, 'description');
  const include = readNames(flags, 'include-tools');
  const exclude = readNames(flags, 'exclude-tools');
  return {
    ...(timeout === null ? {} : { timeout: readTimeout(timeout) }),
    ...(flags.has('trust') ? { trust: true } : {}),
    ...(description === null ? {} : { description }),
    ...(include === null ? {} : { includeTools: include }),
    ...(exclude === null ? {} : { excludeTools: exclude }),
  };
}

function readTimeout(text: string): number {
  const timeout = Number(text);
  if (!/^\d+$/.test(text) || timeout < 1 || timeout > 3_600_000) {
    throw new ConfigurationError(
      `--timeout: ${JSON.stringify(text)} is no whole number of milliseconds from 1 to 3600000`,
    );
  }
  return timeout;
}

function readNames(flags: ReadWords['flags'], flag: string): readonly string[] | null {
  const given = flags.get(flag);
  if (given === undefined) {
    return null;
  }
  const names = given.flatMap((value) => value.split(',')).map((name) => name.trim());
  if (names.includes('')) {
    throw new ConfigurationError(`--${flag}: a name is missing between its commas`);
  }
  return [...new Set(names)];
}

/** `gemini mcp add` takes these flags also after the command, whichever program they were meant for. */
function remarksOn([, ...args]: readonly string[]): readonly string[] {
  const ours = args.find((arg) =>
    /^(?:--(?:scope|transport|env|header|timeout|trust|description|include-tools|exclude-tools)(?:=.*)?|-[stH])$/s.test(
      arg,
    ),
  );
  return ours === undefined
    ? []
    : [
        `${ours.replace(/=.*/s, '')} comes after the command, and so goes to the program. Put it before the name if it is meant for the server's entry.`,
      ];
}
