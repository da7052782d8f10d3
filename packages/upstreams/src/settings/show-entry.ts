import { escapeName } from '@gemini-mcp/core/internal';
import { isObject } from '../import/entry-draft.ts';
import type { ServerEntry, Template } from './read-server-entry.ts';
import { parseTemplate, type TemplatePart } from './value-template.ts';

export type ShownEntry = {
  /** The entry as indented JSON, with possible secrets hidden and without characters that a terminal would interpret. */
  readonly text: string;
  /** The paths of values that may be secrets, such as `env.API_KEY`. */
  readonly secrets: readonly string[];
};

const secretName = /key|token|secret|pass|auth|credential|cookie|session|pat$|dsn|connection/i;

/** Shows an entry of the settings to a user who has to approve it. */
export function showEntry(entry: Readonly<Record<string, unknown>>): ShownEntry {
  const secrets: string[] = [];
  const hide = (path: string, value: string, isSecret: boolean): string => {
    const parts = parseTemplate(value);
    const isWritten = parts.some((part) => part.type === 'text' && !/^(?:Bearer|Basic|Token)?[ :]*$/.test(part.text));
    if (!isSecret || !isWritten) {
      return value;
    }
    secrets.push(path);
    return `<${value.length} characters>`;
  };
  const shown = Object.fromEntries(Object.entries(entry).map(([name, value]) => [name, showMember(name, value, hide)]));
  const text = withShortLists(JSON.stringify(shown, null, 2))
    .split('\n')
    .map(escapeName)
    .join('\n');
  return { text, secrets };
}

const maxListCharacters = 100;

/** Puts each list of a few texts on one line: JSON texts contain no line ends. */
function withShortLists(json: string): string {
  return json.replace(/\[\n\s*((?:"(?:[^"\\]|\\.)*"(?:,\n\s*)?)+)\n\s*\]/g, (list, texts: string) => {
    const line = `[${texts.replace(/,\n\s*/g, ', ')}]`;
    return line.length <= maxListCharacters ? line : list;
  });
}

type Hide = (path: string, value: string, isSecret: boolean) => string;

function showMember(name: string, value: unknown, hide: Hide): unknown {
  if ((name === 'env' || name === 'headers' || name === 'oauth') && isObject(value)) {
    // Most variables are secrets, so only a name can show that one is not.
    const pairs = Object.entries(value).map(([key, one]) => [
      key,
      typeof one === 'string' ? showNamed(`${name}.${key}`, one, { hide, isSecret: isKept(name, key) }) : one,
    ]);
    return Object.fromEntries(pairs);
  }
  if (name === 'args' && Array.isArray(value)) {
    return value.map((one: unknown, index) =>
      typeof one === 'string' ? showWord(one, value[index - 1], { hide, name }) : one,
    );
  }
  return (name === 'url' || name === 'httpUrl') && typeof value === 'string' ? showAddress(name, value, hide) : value;
}

function isKept(member: string, name: string): boolean {
  return member === 'headers' ? !/^(?:accept|content-type|user-agent)$/i.test(name) : secretName.test(name);
}

/** A command with its arguments, or an address, with possible secrets hidden. */
function hideSecrets(words: readonly string[]): readonly string[] {
  const hide = (_: string, value: string, isSecret: boolean) => (isSecret ? `<${value.length} characters>` : value);
  return words.map((word, index) => showWord(word, words[index - 1], { hide, name: '' }));
}

const address = /^[a-z][a-z\d+.-]*:\/\//i;

function showNamed(
  path: string,
  value: string,
  { hide, isSecret }: { readonly hide: Hide; readonly isSecret: boolean },
): string {
  return !isSecret && address.test(value) ? showAddress(path, value, hide) : hide(path, value, isSecret);
}

/** Shows one word of a command: database addresses contain passwords. */
function showWord(
  word: string,
  before: unknown,
  { hide, name }: { readonly hide: Hide; readonly name: string },
): string {
  return address.test(word) ? showAddress(name, word, hide) : showArgument(word, before, hide);
}

/** Shows `--api-key=…`, and the word after `--api-key`. */
function showArgument(word: string, before: unknown, hide: Hide): string {
  const [, flag = '', value = ''] = /^(--?[\w-]+[=:])(.*)$/s.exec(word) ?? [];
  if (flag !== '' && secretName.test(flag)) {
    return flag + hide(`args ${flag}`, value, true);
  }
  const isBehind =
    typeof before === 'string' && /^--?[\w-]+$/.test(before) && secretName.test(before) && !word.startsWith('-');
  return isBehind ? hide(`args ${before}`, word, true) : word;
}

function showAddress(name: string, value: string, hide: Hide): string {
  return value
    .replace(
      /^([\w+.-]+:\/\/)([^/@\s]+)@/,
      (_, scheme: string, login: string) => `${scheme}${hide(name, login, true)}@`,
    )
    .replace(
      /([?&])([^=&#]+)=([^&#]*)/g,
      (_, sign: string, key: string, text: string) =>
        `${sign}${key}=${hide(`${name} ?${key}`, text, secretName.test(key))}`,
    );
}

/** Describes a server on one line: its command with all arguments, or its address. Keeps references and hides possible secrets. */
export function describeTarget({ transport }: ServerEntry): string {
  if (transport.type !== 'stdio') {
    return hideSecrets([sourceOf(transport.url)]).join(' ');
  }
  const words = [transport.command, ...transport.arguments].map(sourceOf);
  return hideSecrets(words).map(quoted).join(' ');
}

/** The template as written in the settings. */
function sourceOf(template: Template): string {
  return template.map(sourceOfPart).join('');
}

function sourceOfPart(part: TemplatePart): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'secret':
      return `\${${part.kind}:${part.name}}`;
    case 'variable':
      return part.fallback === null ? `\${${part.name}}` : `\${${part.name}:-${sourceOf(part.fallback)}}`;
  }
}

/** Quotes a word that would not show where an argument begins. */
function quoted(word: string): string {
  return /^[^\s'"]+$/.test(word) ? word : JSON.stringify(word);
}
