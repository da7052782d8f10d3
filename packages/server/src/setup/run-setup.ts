import { existsSync } from 'node:fs';
import { didYouMean, escapeName, unifiedDiff } from '@gemini-mcp/core/internal';
import { type ClientName, clientNames, isNameOf } from '../clients/client-names.ts';
import type { SetupMode } from '../command-line/parse-command-line.ts';
import type { CommandResult } from '../command-line/run-command.ts';
import { ConfigurationError } from '../settings/setting.ts';
import { clientPlace } from './client-places.ts';
import { type SetupEnd, setUpClient, undoClient } from './set-up-client.ts';
import type { SetupContext } from './setup-context.ts';

/** Writes this server into the settings of the user's clients, shows the changes, or takes them back. Throws a `ConfigurationError` for an unknown client. */
export async function runSetup(mode: SetupMode, context: SetupContext, signal: AbortSignal): Promise<CommandResult> {
  const named = mode.clients.map(knownClient);
  return mode.undo ? await undo(named, mode, context) : await setUp(named, mode, context, signal);
}

function knownClient(name: string): ClientName {
  if (!isNameOf(clientNames, name)) {
    throw new ConfigurationError(
      `setup: ${JSON.stringify(name)} is not a known client.${didYouMean(name, clientNames)} There are ${clientNames.join(', ')}.`,
    );
  }
  return name;
}

async function setUp(
  named: readonly ClientName[],
  { isDryRun, replaces }: SetupMode,
  context: SetupContext,
  signal: AbortSignal,
): Promise<CommandResult> {
  const clients = named.length > 0 ? named : await findClients(context);
  if (clients.length === 0) {
    return {
      output: '',
      note: `No client was found on this machine. Name yours: setup <client>. Known clients: ${clientNames.join(', ')}.\n`,
      exitCode: 1,
    };
  }
  const ends: SetupEnd[] = [];
  for (const client of clients) {
    signal.throwIfAborted();
    ends.push(await setUpClient(client, context, { isDryRun, replaces }, signal));
  }
  const isChanged = ends.some(({ type }) => type === 'add' || type === 'update' || type === 'replace');
  const next = isDryRun
    ? 'Nothing was written. Without --dry-run, the changes are.'
    : 'Restart these clients. Check: doctor. Take it back: setup --undo';
  return present(ends, isDryRun, isChanged ? [next] : []);
}

/** The clients that this user has started or that are on PATH. */
async function findClients({ places, findProgram }: SetupContext): Promise<readonly ClientName[]> {
  const found: ClientName[] = [];
  for (const client of clientNames) {
    const { signs, programs } = clientPlace(client, places);
    const paths = signs.some((sign) => existsSync(sign)) ? [] : await Promise.all(programs.map(findProgram));
    if (signs.some((sign) => existsSync(sign)) || paths.some((path) => path !== null)) {
      found.push(client);
    }
  }
  return found;
}

async function undo(
  named: readonly ClientName[],
  { isDryRun }: SetupMode,
  context: SetupContext,
): Promise<CommandResult> {
  const records = await context.records.read();
  const unknown = named.filter((client) => !records.has(client));
  const notes = unknown.map((client) => `${client} was not set up by this command.`);
  const ends: SetupEnd[] = [];
  for (const [client, record] of records) {
    if (named.length === 0 || named.includes(client)) {
      ends.push(await undoClient(client, record, context, { isDryRun }));
    }
  }
  if (!isDryRun && (await context.records.read()).size === 0) {
    await context.removePrograms();
  }
  if (ends.length === 0 && notes.length === 0) {
    return { output: '', note: 'Nothing to undo: setup has written nothing.\n', exitCode: 0 };
  }
  return present(ends, isDryRun, [...notes, ...(isDryRun ? ['Nothing was written.'] : [])]);
}

const words: Readonly<Record<SetupEnd['type'], string>> = {
  add: 'added',
  update: 'updated',
  replace: 'replaced',
  unchanged: 'unchanged',
  kept: 'kept',
  failed: 'failed',
  restore: 'restored',
  remove: 'removed',
  gone: 'gone',
};

function present(ends: readonly SetupEnd[], isDryRun: boolean, notes: readonly string[]): CommandResult {
  const width = Math.max(0, ...ends.map(({ client }) => client.length));
  const lines = ends.map((end) => `${end.client.padEnd(width)}  ${words[end.type].padEnd(9)}  ${describe(end)}\n`);
  const diffs = isDryRun ? ends.map(diffOf) : [];
  return {
    output: [...diffs, ...lines].join(''),
    note: notes.map((note) => `${note}\n`).join(''),
    exitCode: ends.some(({ type }) => type === 'failed') ? 1 : 0,
  };
}

function describe({ client, file, type, problem }: SetupEnd): string {
  const path = escapeName(file);
  if (problem !== null) {
    return `${path} ${escapeName(problem)}. The entry to add by hand: --print-config ${client}`;
  }
  return type === 'kept'
    ? `${path} has an entry "gemini" that was written or changed by hand. Replace it: setup ${client} --replace`
    : path;
}

/** Only the changed lines: those around them may hold secrets of other servers. */
function diffOf({ file, before, after }: SetupEnd): string {
  const { diff } = unifiedDiff({ path: file, before, after });
  return diff === '' ? '' : `${diff.replaceAll(/^ .*\n/gm, '').replaceAll(/^@@.*\n/gm, '')}\n`;
}
