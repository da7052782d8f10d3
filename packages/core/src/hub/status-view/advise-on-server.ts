import type { ConnectionFailure } from '../connection-state.ts';
import type { OtherServer } from '../other-servers.ts';
import { approveCommand, loginCommand, wordOf } from '../server-commands.ts';
import type { ViewServersOptions } from './view-servers.ts';

export type AdviseOnServerOptions = Pick<ViewServersOptions, 'logsInBy' | 'nowMs'> & {
  /** It has tools that are withheld until they are approved. */
  readonly hasWithheld: boolean;
};

/** What a user can do about a server, in a sentence; null where there is nothing to do. */
export function adviseOnServer(server: OtherServer, options: AdviseOnServerOptions): string | null {
  const { state, transport, name } = server;
  if (state.type === 'awaiting-login') {
    return adviseOnLogin(server, options);
  }
  if (state.type === 'failed') {
    return adviseOnFailure(state.failure.kind, transport);
  }
  if (state.type === 'connecting' && options.nowMs === null) {
    return `Give it more time: gemini-mcp-server mcp list ${wordOf(name)}`;
  }
  return options.hasWithheld ? adviseOnApproval(server, options) : null;
}

const byFailure = {
  misconfigured: 'Correct its entry in the settings.',
  'not-started': 'Correct its command in the settings: it has to start in a terminal too.',
  unreachable: 'Check its url, and whether the server runs and this machine reaches it.',
  silent: 'Check whether it is an MCP server that speaks over this transport.',
  ended: 'Check whether the server runs.',
  refused: 'Check its url, its type and its headers.',
  'out-of-order': 'Wait. If it stays so, ask those who run it.',
  flooding: 'It sends more than has a use: ask its author.',
} as const;

/** A program has no address to look at. */
const byFailureOfProgram = {
  ...byFailure,
  ended: 'Run its command in a terminal, and read what it says.',
  refused: 'Correct what its entry in the settings names, or update it.',
} as const;

function adviseOnFailure(kind: ConnectionFailure['kind'], transport: OtherServer['transport']): string {
  return (transport === 'stdio' ? byFailureOfProgram : byFailure)[kind];
}

function adviseOnLogin({ name, isShared }: OtherServer, { logsInBy = 'command' }: AdviseOnServerOptions): string {
  if (logsInBy === 'command') {
    return `Log in: ${loginCommand(name)}`;
  }
  return isShared
    ? 'The operator has to log in to it.'
    : `Log in: POST /api/servers/${encodeURIComponent(name)}/login, with {}, and open the link.`;
}

function adviseOnApproval({ name, isShared }: OtherServer, { logsInBy = 'command' }: AdviseOnServerOptions): string {
  if (logsInBy === 'command') {
    return `Look at the tools that are withheld, and approve them: ${approveCommand(name)}`;
  }
  const whose = isShared ? '' : ' --principal <your name>';
  return `The operator has to look at the tools that are withheld, and approve them: gemini-mcp-server-http mcp approve ${wordOf(name)}${whose}`;
}
