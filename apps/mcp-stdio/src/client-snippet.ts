import { type ClientName, type ClientSnippet, clientForms, hasLogin, type StdioEntry } from '@gemini-mcp/server';

/** How a client starts this server. */
export type ServerCommand = StdioEntry & {
  /** Whether `command` works only once the server is installed. */
  readonly needsInstall: boolean;
};

/** What makes a client start this server. Holds the names of variables, never their values. */
export function clientSnippet(client: ClientName, server: ServerCommand): ClientSnippet {
  const { text, place } = clientForms[client].stdio(server);
  return { text, place: [place, ...hints(client, server)].join('\n') };
}

function hints(client: ClientName, server: ServerCommand): readonly string[] {
  const install =
    'npx keeps this server only for some time. Install the package that you gave to npx, so that the client finds it: npm install -g <package>';
  const login =
    'This shell has no variable with a login. Make an API key at https://aistudio.google.com/apikey, set GEMINI_API_KEY and run this again. Without one the server needs a Code Assist licence and the login of the Gemini CLI.';
  return [
    ...(server.needsInstall ? [install] : []),
    ...(client === 'claude-desktop' || hasLogin(server) ? [] : [login]),
  ];
}
