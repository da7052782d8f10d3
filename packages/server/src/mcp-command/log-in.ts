import { escapeName, type LoginEnd, type LogoutEnd } from '@gemini-mcp/core/internal';
import {
  done,
  type McpContext,
  type McpResult,
  refusedCommand,
  type ServersAtTerminal,
  whoseServer,
} from './mcp-context.ts';

type Options = { readonly action: 'login' | 'logout'; readonly server: string };

/** Logs in to a server, or out of it. Shows the link at once and reads a typed line as the address where the browser ended. */
export async function logInToServer(
  { action, server }: Options,
  place: McpContext,
  signal: AbortSignal,
): Promise<McpResult> {
  const opened = await place.open();
  try {
    const { logins, owner, needsPrincipal } = opened;
    if (needsPrincipal && (await opened.settings()).merged.servers.get(server)?.isShared === false) {
      return refusedCommand(whoseServer(server));
    }
    if (action === 'logout') {
      return presentLogout(await logins.logout({ owner, server }, signal), server);
    }
    return presentLogin(await login(server, { opened, place }, signal), server);
  } finally {
    await opened.close();
  }
}

async function login(
  server: string,
  { opened: { logins, owner }, place }: { readonly opened: ServersAtTerminal; readonly place: McpContext },
  signal: AbortSignal,
): Promise<LoginEnd> {
  const over = new AbortController();
  const end = await logins.login(
    {
      owner,
      server,
      opensBrowser: true,
      listens: true,
      scopes: [],
      onLink: ({ url, issuer, secretGoesTo, answer }) => {
        place.say(`Logging in at ${escapeName(issuer)}.`);
        if (secretGoesTo !== null) {
          place.say(`The oauth.clientSecret of its settings is sent to ${escapeName(secretGoesTo)}.`);
        }
        place.say('If your browser does not open, open this address:');
        place.say(`  ${escapeName(url)}`);
        place.say('A browser on another machine ends on a page that does not load. Paste its address here.');
        place.typed((line) => {
          if (!answer(line.trim())) {
            place.say('This address does not belong to this login.');
          }
        }, over.signal);
      },
    },
    signal,
  );
  over.abort();
  return end;
}

function presentLogin(end: LoginEnd, server: string): McpResult {
  const name = escapeName(server);
  switch (end.type) {
    case 'logged-in':
      return done(
        `Logged in to ${name} at ${escapeName(end.issuer)}${end.scopes.length === 0 ? '' : `, with ${end.scopes.map(escapeName).join(' ')}`}`,
      );
    case 'not-needed':
      return done(escapeName(end.detail));
    case 'failed':
      return refusedCommand(`${name}: ${escapeLines(end.detail)}`);
    case 'cancelled':
      return refusedCommand('The login was cancelled. Nothing has changed.');
  }
}

function presentLogout(end: LogoutEnd, server: string): McpResult {
  const name = escapeName(server);
  switch (end.type) {
    case 'logged-out':
      return done(
        end.isRevoked
          ? `Logged out of ${name}`
          : `Logged out of ${name} on this machine. Its issuer was not notified: to be sure, revoke the access there too.`,
      );
    case 'none':
      return done(`Not logged in to ${name}`);
    case 'failed':
      return refusedCommand(`${name}: ${escapeLines(end.detail)}`);
  }
}

function escapeLines(text: string): string {
  return text.split('\n').map(escapeName).join('\n');
}
