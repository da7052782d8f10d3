import { nearestName } from '@gemini-mcp/core/internal';
import { ConfigurationError } from '../settings/configuration-error.ts';
import type { ApprovalsMode } from './approvals-mode.ts';

const actions: readonly string[] = ['list', 'revoke', 'allow', 'allow-tool'];

/** The mode, from the words after `approvals` and the flags that are not settings. Throws a `ConfigurationError`. */
export function selectApprovalsMode(words: readonly string[], flags: ReadonlyMap<string, string>): ApprovalsMode {
  const [action = 'list', first, ...others] = words;
  refuseFlags(action, flags);
  switch (action) {
    case 'list':
      refuseSurplus(first);
      return { kind: 'approvals', action, json: flags.has('json') };
    case 'revoke':
      refuseSurplus(others[0]);
      return { kind: 'approvals', action, id: require(first, 'approvals revoke: the id of an approval is missing.') };
    case 'allow': {
      const program = require(first, 'approvals allow: the first words of a command are missing, such as npm install.');
      return { kind: 'approvals', action, words: [program, ...others], network: flags.has('network') };
    }
    case 'allow-tool': {
      const server = require(first, 'approvals allow-tool: the name of a server and of its tool are missing.');
      const tool = require(others[0], 'approvals allow-tool: the name of the tool is missing, after that of its server.');
      refuseSurplus(others[1]);
      return { kind: 'approvals', action, server, tool };
    }
    default:
      throw new ConfigurationError(`approvals ${JSON.stringify(action)}: there is no such command.${meantBy(action)}`);
  }
}

function refuseFlags(action: string, flags: ReadonlyMap<string, string>): void {
  for (const [flag, owner] of [
    ['json', 'list'],
    ['network', 'allow'],
  ] as const) {
    if (flags.has(flag) && action !== owner) {
      throw new ConfigurationError(`--${flag}: approvals ${action} does not take it`);
    }
  }
}

function require(word: string | undefined, message: string): string {
  if (word === undefined) {
    throw new ConfigurationError(`${message} approvals list shows what there is.`);
  }
  return word;
}

function refuseSurplus(word: string | undefined): void {
  if (word !== undefined) {
    throw new ConfigurationError(`${JSON.stringify(word)}: approvals takes no further word here`);
  }
}

function meantBy(action: string): string {
  const nearest = nearestName(action, actions);
  return nearest === null ? ` There are ${actions.join(', ')}.` : ` Did you mean ${nearest}?`;
}
