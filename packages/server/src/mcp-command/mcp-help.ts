/** What `mcp --help` prints. */
export const mcpHelp = `Other MCP servers, whose tools are lent to Gemini and offered to clients.

mcp list [<server>] [--json]
      Shows all servers, or one: how each is, its tools with their arguments, prompts, resources, what went
      wrong and what to do.
mcp add [flags] <name> <command> [<argument>...]
mcp add [flags] <name> <address>
      Adds a server: a program, or an address that begins with https:// or http://. Everything after the
      command is passed to it.
      -s, --scope user|project        whose settings: yours, or those of the project in this directory. Default: user.
      -t, --transport stdio|http|sse  how it is reached. Without it an address is tried by http, then by sse.
      -e, --env NAME=value            a variable for the program; more than once for several.
      -H, --header "Name: value"      a header for the address; more than once for several.
      --timeout <ms>                  how long a call may be without a sign of progress. Default: 600000.
      --trust                         run its tools without asking.
      --description <text>            what it is for.
      --include-tools <name,...>      only these tools of it.
      --exclude-tools <name,...>      all but these.
      --replace                       in place of a server that has this name.
mcp remove [-s <scope>] <server>
mcp enable | disable [-s <scope>] <server>
mcp approve <server> [<tool>...] [--yes <digest>]
      Shows the tools that are withheld because they are new or have changed, and a digest of what it shows;
      --yes with that digest approves just that.
mcp approve --project [--yes <digest>]
      The same for the servers that this project brings along.
mcp import <client> [-s <scope>] [--replace] [--yes <digest>]
mcp import --from <file> [-s <scope>] [--replace] [--yes <digest>]
      The same for servers in the settings of another client, which are written here.
      Clients: gemini-cli, claude-code, claude-desktop, vscode, cursor, codex.
mcp login | logout <server>
      Logs in to a server that wants it, or out of it.

Over HTTP each principal has servers for itself: list, approve, login and logout take --principal <name>,
or --principal oauth:<subject> for one of the issuer.
Without it they are about servers that all share.
`;
