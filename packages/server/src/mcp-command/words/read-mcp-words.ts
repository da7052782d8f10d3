import { nearestName } from '@gemini-mcp/core/internal';
import { flagKinds } from '../../command-line/flag-kinds.ts';
import type { Program } from '../../program/program.ts';
import { ConfigurationError } from '../../settings/configuration-error.ts';
import type { McpAction } from './mcp-action.ts';
import { addForms, readAdd } from './read-add.ts';
import { firstOf, onlyWord, readScope, scopeForm } from './read-scope.ts';
import { type FlagForms, type ReadWords, readWords } from './word-reader.ts';

export type McpCommand = {
  readonly action: McpAction;
  /** Values of settings, by the name of the flag. */
  readonly flags: ReadonlyMap<string, string>;
  /** Whose servers are meant, by name; null for those of the user at the terminal. */
  readonly principal: string | null;
};

type Form = { readonly forms: FlagForms; readonly read: (given: ReadWords) => McpAction };

const yes = {
  short: 'y',
  takesValue: true,
  missing: 'give the digest that the same command without --yes prints at its end',
};
const replace = { takesValue: false };
const principal = { takesValue: true };

const actions: Readonly<Record<string, Form>> = {
  list: { forms: { json: { takesValue: false }, principal }, read: readList },
  add: { forms: addForms, read: readAdd },
  remove: { forms: { scope: scopeForm }, read: (given) => readNamed('remove', given) },
  enable: { forms: { scope: scopeForm }, read: (given) => readNamed('enable', given) },
  disable: { forms: { scope: scopeForm }, read: (given) => readNamed('disable', given) },
  login: {
    forms: { principal },
    read: (given) => ({ action: 'login', server: onlyWord('mcp login', given, missingServer) }),
  },
  logout: {
    forms: { principal },
    read: (given) => ({ action: 'logout', server: onlyWord('mcp logout', given, missingServer) }),
  },
  approve: { forms: { project: { takesValue: false }, yes, principal }, read: readApprove },
  import: { forms: { from: { takesValue: true }, scope: scopeForm, yes, replace }, read: readImport },
};

const missingServer = 'the name of a server is missing. mcp list shows them.';

/** What the words after `mcp` ask for. Throws a `ConfigurationError` for what is not understood, with the nearest word. */
export function readMcpWords(given: readonly string[], { settings }: Pick<Program, 'settings'>): McpCommand {
  const [first = 'list', ...others] = given;
  const isFlag = first.startsWith('-');
  const name = isFlag ? 'list' : first;
  const form = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (isHelp(isFlag ? given : others) || first === 'help') {
    return { action: { action: 'help' }, flags: new Map(), principal: null };
  }
  if (form === undefined) {
    const nearest = nearestName(name, Object.keys(actions));
    const meant = nearest === null ? `There are ${Object.keys(actions).join(', ')}.` : `Did you mean ${nearest}?`;
    throw new ConfigurationError(`mcp ${JSON.stringify(name)}: there is no such command. ${meant}`);
  }
  const ofSettings = settingForms(settings);
  const read = readWords(isFlag ? given : others, {
    command: `mcp ${name}`,
    forms: { ...ofSettings, ...form.forms },
    isOver: (words, flags) => name === 'add' && isCommand(words, flags),
  });
  return { action: form.read(read), flags: valuesOf(read, ofSettings), principal: firstOf(read.flags, 'principal') };
}

/** A flag of a program that is added is no cry for help. */
function isHelp(words: readonly string[]): boolean {
  return words[0] === '--help' || words[0] === '-h';
}

/** From here on all belongs to the program of the server. An address has nothing of its own. */
function isCommand([, place]: readonly string[], flags: ReadonlyMap<string, readonly string[]>): boolean {
  const transport = firstOf(flags, 'transport') ?? firstOf(flags, 'type');
  return place !== undefined && !/^[a-z][a-z\d+.-]*:\/\//i.test(place) && (transport === null || transport === 'stdio');
}

function settingForms(settings: Program['settings']): FlagForms {
  const kinds = [...flagKinds(settings)].filter(([, { sets }]) => sets === 'setting');
  return Object.fromEntries(kinds.map(([name, { takesValue }]) => [name, { takesValue }]));
}

function valuesOf({ flags }: ReadWords, forms: FlagForms): ReadonlyMap<string, string> {
  return new Map(
    [...flags].filter(([name]) => Object.hasOwn(forms, name)).map(([name, [value = '']]) => [name, value || '1']),
  );
}

function readList({ words, flags }: ReadWords): McpAction {
  const [server = null, surplus] = words;
  refuseSurplus('mcp list', surplus);
  return { action: 'list', server, json: flags.has('json') };
}

function readNamed(action: 'remove' | 'enable' | 'disable', given: ReadWords): McpAction {
  const server = onlyWord(`mcp ${action}`, given, missingServer);
  return { action, server, scope: readScope(given.flags) };
}

function readApprove({ words, flags }: ReadWords): McpAction {
  const [server, ...tools] = words;
  const confirmed = firstOf(flags, 'yes');
  if (flags.has('project')) {
    refuseSurplus('mcp approve --project', server);
    return { action: 'approve', what: { type: 'project' }, confirmed };
  }
  if (server === undefined) {
    throw new ConfigurationError(`mcp approve: ${missingServer} --project approves the settings of this project.`);
  }
  return { action: 'approve', what: { type: 'tools', server, tools: tools.length === 0 ? 'all' : tools }, confirmed };
}

function readImport({ words, flags }: ReadWords): McpAction {
  const [client, surplus] = words;
  const file = firstOf(flags, 'from');
  refuseSurplus('mcp import', file === null ? surplus : client);
  const name = file ?? client;
  if (name === undefined) {
    throw new ConfigurationError('mcp import: name a client, such as claude-code, or a file by --from.');
  }
  return {
    action: 'import',
    from: { type: file === null ? 'client' : 'file', name },
    scope: readScope(flags) ?? 'user',
    replaces: flags.has('replace'),
    confirmed: firstOf(flags, 'yes'),
  };
}

function refuseSurplus(command: string, word: string | undefined): void {
  if (word !== undefined) {
    throw new ConfigurationError(`${JSON.stringify(word)}: ${command} takes no further word here`);
  }
}
