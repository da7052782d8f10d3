import { findAddressProblem } from './find-address-problem.ts';
import type { ServerEntry, Template, TransportEntry } from './server-entry.ts';
import type { SettingsMembers } from './settings-members.ts';
import type { SettingsNode } from './settings-node.ts';
import { parsePlainTemplate, parseTemplate } from './value-template.ts';

const types = ['stdio', 'http', 'streamable-http', 'sse'] as const;

/** Variables by which a program is made to load or run something else: none is passed on. */
const loading =
  /^(?:LD_|DYLD_|BASH_FUNC_)|^(?:NODE_OPTIONS|NODE_PATH|BASH_ENV|ENV|PYTHONSTARTUP|PYTHONPATH|PERL5OPT|PERL5LIB|RUBYOPT|RUBYLIB|JAVA_TOOL_OPTIONS|GIT_SSH_COMMAND|GIT_EXTERNAL_DIFF)$/i;

/** How a server is reached; null where that cannot be said, which is told at `node`. */
export function readTransport(node: SettingsNode, members: SettingsMembers): TransportEntry | null {
  const given = (['command', 'url', 'httpUrl'] as const).filter((name) => members.has(name));
  const [way, ...others] = given;
  if (members.has('tcp')) {
    members.get('tcp')?.problem('Is no longer a way to reach a server. Give command or url.');
  }
  if (way === undefined || others.length > 0) {
    node.problem(way === undefined ? 'Needs command, or url.' : `Has ${given.join(' and ')}: give one of them.`);
    return null;
  }
  const type = members.get('type')?.oneOf(types) ?? null;
  const isProgram = type === 'stdio';
  if (type !== null && isProgram !== (way === 'command')) {
    members.get('type')?.problem(`Does not go with ${way}.`);
    return null;
  }
  tellUnused(members, way === 'command' ? ['headers', 'oauth', 'authProviderType'] : ['args', 'env', 'cwd'], way);
  return way === 'command' ? readProgram(members) : readAddress(members, way, type);
}

function tellUnused(members: SettingsMembers, names: readonly string[], way: string): void {
  for (const name of names) {
    members.get(name)?.problem(`Has no meaning together with ${way}.`);
  }
}

function readProgram(members: SettingsMembers): TransportEntry | null {
  const command = members.text('command') ?? '';
  if (command === '') {
    return null;
  }
  const directory = members.text('cwd');
  return {
    type: 'stdio',
    command: parsePlainTemplate(command),
    arguments: (members.texts('args') ?? []).map(parsePlainTemplate),
    environment: readEnvironment(members.get('env')),
    workingDirectory: directory === null ? null : parsePlainTemplate(directory),
  };
}

function readEnvironment(node: SettingsNode | undefined): ReadonlyMap<string, Template> {
  const environment = templatesOf(node);
  for (const name of environment.keys()) {
    const why = loading.test(name) ? 'it makes programs load something else' : 'its name is none';
    if (loading.test(name) || !/^[A-Za-z_]\w*$/.test(name)) {
      node?.problem(`The variable ${name} is not passed on: ${why}.`);
      environment.delete(name);
    }
  }
  return environment;
}

function readAddress(
  members: SettingsMembers,
  way: 'url' | 'httpUrl',
  type: (typeof types)[number] | null,
): TransportEntry | null {
  const url = members.text(way) ?? '';
  if (url === '') {
    return null;
  }
  const isStreamable = way === 'httpUrl' || type === 'http' || type === 'streamable-http';
  if (way === 'httpUrl' && type === 'sse') {
    members.get('type')?.problem('Does not go with httpUrl: give url.');
    return null;
  }
  const template = parsePlainTemplate(url);
  const headers = templatesOf(members.get('headers'));
  tellAddress(members.get(way), template, headers);
  return { type: isStreamable ? 'http' : type === 'sse' ? 'sse' : 'either', url: template, headers };
}

/** What is wrong with an address that holds no references is known before it is used. */
function tellAddress(node: SettingsNode | undefined, url: Template, headers: ReadonlyMap<string, Template>): void {
  const [part, ...others] = url;
  if (part?.type !== 'text' || others.length > 0) {
    return;
  }
  const names = Object.fromEntries([...headers.keys()].map((name) => [name, '']));
  const problem = findAddressProblem({ url: part.text, headers: names });
  if (problem !== null) {
    node?.problem(problem);
  }
}

function templatesOf(node: SettingsNode | undefined): Map<string, Template> {
  const texts = node?.textsByName() ?? new Map<string, string>();
  return new Map([...texts].map(([name, text]) => [name, parseTemplate(text)]));
}

/** What a digest covers: maps as lists of pairs, in the order of their names. */
export function plainTransport(transport: ServerEntry['transport']): unknown {
  const pairs = (map: ReadonlyMap<string, Template>) => Object.fromEntries(map);
  return transport.type === 'stdio'
    ? { ...transport, environment: pairs(transport.environment) }
    : { ...transport, headers: pairs(transport.headers) };
}
