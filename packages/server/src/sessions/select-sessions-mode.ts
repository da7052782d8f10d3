import { nearestName } from '@gemini-mcp/core/internal';
import { ConfigurationError } from '../settings/configuration-error.ts';
import type { SessionsMode } from './sessions-mode.ts';

const actions: readonly string[] = ['list', 'show', 'export', 'delete'];

/** The mode, from the words after `sessions` and the flags that are not settings. Throws a `ConfigurationError`. */
export function selectSessionsMode(words: readonly string[], flags: ReadonlyMap<string, string>): SessionsMode {
  const [action = 'list', id, surplus] = words;
  const common = { kind: 'sessions', owner: flags.get('owner') ?? null, json: flags.has('json') } as const;
  switch (action) {
    case 'list':
      refuseSurplus(id);
      return { ...common, action };
    case 'show':
    case 'export':
    case 'delete':
      refuseSurplus(surplus);
      return { ...common, action, id: requireId(action, id) };
    default:
      throw new ConfigurationError(`sessions ${JSON.stringify(action)}: there is no such command.${meantBy(action)}`);
  }
}

function requireId(action: string, id: string | undefined): string {
  if (id === undefined) {
    throw new ConfigurationError(`sessions ${action}: the id of a conversation is missing. sessions list shows them.`);
  }
  return id;
}

function refuseSurplus(word: string | undefined): void {
  if (word !== undefined) {
    throw new ConfigurationError(`${JSON.stringify(word)}: sessions takes no further word here`);
  }
}

function meantBy(action: string): string {
  const nearest = nearestName(action, actions);
  return nearest === null ? ` There are ${actions.join(', ')}.` : ` Did you mean ${nearest}?`;
}
