import {
  type ClientSnippet,
  type CommandLine,
  clientNames,
  type Invocation,
  isNameOf,
  type OperableProgram,
  runAtTerminal,
  type TerminalCommand,
  wrapHelp,
} from '@gemini-mcp/server';
import { clientSnippet, findServer, findServerCommand, linkSnippet } from './find-server-command.ts';
import { serverVersion as version } from './server-version.ts';
import { startReviews } from './start-reviews.ts';
import { readStdioSettings, stdioProgram } from './stdio-program.ts';

const intro = `gemini-mcp-server lends AI clients Google's Gemini, by its API or the Gemini CLI, over MCP on stdin and stdout.

gemini-mcp-server [flags]
      Serves one client. Clients start it like this.
gemini-mcp-server setup [<client>...] [--dry-run] [--replace] [--undo] [flags]
      Writes this server into the settings of the clients that it finds, or of those named, with a backup.
      --dry-run shows the changes, --undo takes them back. Keeps an entry changed by hand, unless --replace.
gemini-mcp-server login [--status] [--store file|keychain]
      Asks for an API key of Google AI Studio, or takes it from a pipe, tries it, and stores it for all servers
      of this user: in the keychain on macOS and Windows, otherwise in a private file. --status says which login counts.
gemini-mcp-server logout
      Removes the stored key.
gemini-mcp-server doctor [--json] [--no-call] [flags]
      Checks what a call needs, and says what to do where something is missing. Makes one short call to
      Gemini, unless --no-call says not to.
gemini-mcp-server review [--change <change>] [--severity <s>] [--focus <text>] [--model <name>] [--baseline <file>]
                         [--format text|json|sarif|github] [--fail-on <s>|never] [--max-cost <dollars>] [--post] [flags]
      Has Gemini review the working tree, or what --change names: staged, branch, a commit, or a range such as
      main...HEAD. Exit code 0: no verified finding; 1: one at least as severe as --fail-on; 2: not reviewed.
gemini-mcp-server sessions [list | show <id> | export <id> | delete <id>] [--json] [--owner <owner>] [flags]
      Lists the conversations that are kept for all clients of this user, shows one, prints one as Markdown or
      JSON, or deletes one.
gemini-mcp-server usage [--by <group>] [--since <day>] [--json] [flags]
      Sums calls, tokens and cost of this month, or since a day such as 2026-11-01 or 30d, by model, tool, client,
      day, month, backend or principal.
gemini-mcp-server approvals [list [--json] | revoke <id> | allow [--network] <word>...] [flags]
      Lists permanent permissions, revokes one, or allows commands in this directory that begin with certain
      words, such as: approvals allow npm install.
gemini-mcp-server mcp [list | add | remove | enable | disable | approve | import | login | logout] [flags]
      Shows and changes the other MCP servers that Gemini and clients may use: mcp --help.
gemini-mcp-server --print-config <client> [--link] [flags]
      Prints the entry for a client's settings, or a link that adds it.
${wrapHelp(`Clients: ${clientNames.join(', ')}.`)}
gemini-mcp-server --help, --version`;

/** This binary with its commands for a terminal. */
export const operableStdioProgram: OperableProgram = {
  ...stdioProgram,
  intro,
  ownerOf: null,
  ownerNames: null,
  readSettings: readStdioSettings,
  findServer,
  startReviews,
  printConfig,
};

async function printConfig(
  client: string,
  { link, ...invocation }: Invocation & { readonly link: boolean },
): Promise<ClientSnippet> {
  if (!isNameOf(clientNames, client)) {
    throw new Error(`Unknown client: ${client}`);
  }
  const server = await findServerCommand(invocation);
  return link ? linkSnippet(client, server) : clientSnippet(client, server);
}

type OperatorCommand = CommandLine & Pick<TerminalCommand, 'mode'>;

/** Runs a command for a user at a terminal. Resolves to the exit code once stdout has taken the whole output. */
export function runOperatorCommand({ mode, flags }: OperatorCommand): Promise<number> {
  return runAtTerminal({ program: operableStdioProgram, version, mode, flags });
}
