import { isIP } from 'node:net';
import { shellWord } from '@gemini-mcp/core/internal';
import {
  type ClientName,
  type ClientSnippet,
  ConfigurationError,
  clientForms,
  clientNames,
  type HttpEntry,
  httpSettings,
  type Invocation,
  isNameOf,
  type OperableProgram,
  shellHeader,
  wrapHelp,
} from '@gemini-mcp/server';
import { findOwner, ownerNames } from '../access/find-owner.ts';
import { examineHttp, httpProbes } from './examine-http.ts';
import { everySetting, type HttpConfiguration, readHttpConfiguration } from './read-http-configuration.ts';

/** The clients that `--print-config` of the HTTP server supports. */
export const httpClientNames: readonly HttpClientName[] = [...clientNames, 'curl'];

const name = 'gemini-mcp-server-http';

const intro = `${name} lends AI clients Google's Gemini, by its API or the Gemini CLI, over MCP on HTTP.

${name} [flags]
      Serves many clients, each with a token. Listens on 127.0.0.1 unless told otherwise.
${name} login [--status] [--store file|keychain]
      Stores an API key of Google AI Studio for all servers of this user, or says which login counts.
${name} logout
      Removes the stored key.
${name} doctor [--json] [--no-call] [flags]
      Checks what the server and a call need, and says what to do where something is missing. Makes one short
      call to Gemini, unless --no-call says not to.
${name} sessions [list | show <id> | export <id> | delete <id>] [--json] [--owner <owner>] [flags]
      Lists the conversations that are kept for all principals, shows one, prints one as Markdown or
      JSON, or deletes one.
${name} usage [--by <group>] [--since <day>] [--json] [flags]
      Sums calls, tokens and cost of this month, or since a day such as 2026-11-01 or 30d, by model, tool, client,
      day, month, backend or principal.
${name} approvals [list [--json] | revoke <id> | allow [--network] <word>...] [flags]
      Lists permanent permissions, revokes one, or allows commands in this directory that begin with certain
      words, such as: approvals allow npm install.
${name} mcp [list | add | remove | enable | disable | approve | import | login | logout] [flags]
      Shows and changes the other MCP servers that Gemini and clients may use: mcp --help.
${name} --print-config <client> [flags]
      Prints what goes into a client's settings, without the token.
${wrapHelp(`Clients: ${httpClientNames.join(', ')}.`)}
${name} --help, --version

More: docs/http.md.`;

/** The HTTP binary, for the shared commands. */
export const httpProgram: OperableProgram = {
  name,
  settings: everySetting,
  clients: httpClientNames,
  nodeAdvice: 'start the server with it.',
  intro,
  ownerOf: findOwner,
  ownerNames,
  readSettings: (sources) => {
    const { http, ...read } = readHttpConfiguration(sources);
    return { ...read, examine: () => examineHttp(http, httpProbes) };
  },
  findServer: null,
  startReviews: null,
  printConfig,
};

function printConfig(client: string, { link, ...invocation }: Invocation & { readonly link: boolean }): ClientSnippet {
  if (link) {
    throw new ConfigurationError('--link: only gemini-mcp-server has links; leave it out');
  }
  if (!isNameOf(httpClientNames, client)) {
    throw new Error(`Unknown client: ${client}`);
  }
  const { http } = readHttpConfiguration(invocation);
  const { text, place } = httpClientSnippet(client, { url: clientUrl(http), token: null });
  return { text, place: http.oauth === null ? place : `${place}\n${withOAuth}` };
}

const withOAuth =
  'The token is for clients without OAuth. A client that logs in with OAuth needs only the address, which leads it to the issuer.';

/** A wildcard address, which no client can use. */
const unspecified: readonly string[] = ['0.0.0.0', '::'];

/** The address of a server with these settings for clients: by its OAuth audience, otherwise on this machine. */
function clientUrl({ oauth, host, port }: HttpConfiguration): string {
  if (oauth !== null) {
    return oauth.audience;
  }
  if (port === 0) {
    const { variable, flag } = httpSettings.port;
    throw new ConfigurationError(`${variable} (--${flag}): with 0 the port is known only once the server listens`);
  }
  const reachable = unspecified.includes(host) ? '127.0.0.1' : host;
  return `http://${isIP(reachable) === 6 ? `[${reachable}]` : reachable}:${port}/mcp`;
}

/** The configuration of a client for this server. Contains the token only if given one. */
export function httpClientSnippet(client: HttpClientName, entry: HttpEntry): ClientSnippet {
  return client === 'curl' ? curlSnippet(entry) : clientForms[client].http(entry);
}

function curlSnippet(entry: HttpEntry): ClientSnippet {
  const address = shellWord(new URL('api/gemini-chat', entry.url).href);
  const headers = `-H ${shellHeader(entry)} -H 'Content-Type: application/json' -H 'Accept: text/event-stream'`;
  return {
    text: `curl -N ${address} ${headers} -d '{"prompt": "Say hello"}'\n`,
    place: 'The answer comes in pieces. Without the Accept header it comes complete, as JSON.',
  };
}

export type HttpClientName = ClientName | 'curl';
