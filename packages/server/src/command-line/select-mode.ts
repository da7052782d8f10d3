import { ConfigurationError } from '../settings/configuration-error.ts';
import { nearestName } from '../settings/nearest-name.ts';
import type { Mode } from './command-line.ts';

const commands: readonly string[] = ['doctor'];

/** What to do, from the words and the flags that are no settings. */
export function selectMode(
  words: readonly string[],
  flags: ReadonlyMap<string, string>,
  clients: readonly string[],
): Mode {
  const [command, second] = words;
  refuseWord(command !== undefined && commands.includes(command) ? second : command);
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
  if (command === 'doctor') {
    return { kind: 'doctor', json: flags.has('json'), call: !flags.has('no-call') };
  }
  const ofDoctor = ['json', 'no-call'].find((flag) => flags.has(flag));
  if (ofDoctor !== undefined) {
    throw new ConfigurationError(`--${ofDoctor}: it belongs to the command doctor`);
  }
  return { kind: 'serve' };
}

function parseClient(given: string, clients: readonly string[]): string {
  if (!clients.includes(given)) {
    const nearest = nearestName(given, clients);
    const meant = nearest === null ? '' : ` Did you mean ${nearest}?`;
    throw new ConfigurationError(
      `--print-config: ${JSON.stringify(given)} is none of the clients that it knows.${meant} There are ${clients.join(', ')}.`,
    );
  }
  return given;
}

function refuseWord(word: string | undefined): void {
  if (word === undefined) {
    return;
  }
  const nearest = nearestName(word, commands);
  const meant = nearest === null ? ' --help lists what there is.' : ` Did you mean ${nearest}?`;
  throw new ConfigurationError(`${JSON.stringify(word)}: there is no such command.${meant}`);
}
