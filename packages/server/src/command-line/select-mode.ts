import { didYouMean } from '@gemini-mcp/core/internal';
import { selectApprovalsMode } from '../approvals/select-approvals-mode.ts';
import { selectSessionsMode } from '../sessions/select-sessions-mode.ts';
import { ConfigurationError } from '../settings/configuration-error.ts';
import type { Mode } from './command-line.ts';

const commands: readonly string[] = ['doctor', 'sessions', 'approvals', 'mcp'];

/** Those that have commands of their own. */
const withFurtherWords: readonly string[] = ['sessions', 'approvals'];

/** The commands that each flag belongs to. */
const flagOwners: readonly (readonly [flag: string, commands: readonly string[]])[] = [
  ['json', ['doctor', 'sessions', 'approvals']],
  ['no-call', ['doctor']],
  ['owner', ['sessions']],
  ['network', ['approvals']],
];

/** The mode, from the words and the flags that are not settings. */
export function selectMode(
  words: readonly string[],
  flags: ReadonlyMap<string, string>,
  clients: readonly string[],
): Mode {
  const [command, ...further] = words;
  if (command === 'help') {
    return { kind: 'help' };
  }
  refuseWord(wordToRefuse(command, further));
  if (flags.has('help')) {
    return { kind: 'help' };
  }
  if (flags.has('version')) {
    return { kind: 'version' };
  }
  const client = flags.get('print-config');
  if (client !== undefined) {
    return { kind: 'print-config', client: parseClient(client, clients) };
  }
  refuseForeignFlags(command, flags);
  if (command === 'sessions') {
    return selectSessionsMode(further, flags);
  }
  if (command === 'approvals') {
    return selectApprovalsMode(further, flags);
  }
  if (command === 'doctor') {
    return { kind: 'doctor', json: flags.has('json'), call: !flags.has('no-call') };
  }
  return { kind: 'serve' };
}

/** The first word that no command takes. */
function wordToRefuse(command: string | undefined, further: readonly string[]): string | undefined {
  if (command === undefined || !commands.includes(command)) {
    return command;
  }
  return withFurtherWords.includes(command) ? undefined : further[0];
}

function refuseForeignFlags(command: string | undefined, flags: ReadonlyMap<string, string>): void {
  for (const [flag, owners] of flagOwners) {
    if (flags.has(flag) && !owners.includes(command ?? '')) {
      const noun = owners.length === 1 ? 'command' : 'commands';
      throw new ConfigurationError(
        `--${flag}: it belongs to the ${noun} ${owners.join(', ').replace(/, ([^,]*)$/, ' and $1')}`,
      );
    }
  }
}

function parseClient(given: string, clients: readonly string[]): string {
  if (!clients.includes(given)) {
    throw new ConfigurationError(
      `--print-config: ${JSON.stringify(given)} is not a known client.${didYouMean(given, clients)} There are ${clients.join(', ')}.`,
    );
  }
  return given;
}

function refuseWord(word: string | undefined): void {
  if (word === undefined) {
    return;
  }
  const meant = didYouMean(word, commands) || ' --help lists what there is.';
  throw new ConfigurationError(`${JSON.stringify(word)}: there is no such command.${meant}`);
}
