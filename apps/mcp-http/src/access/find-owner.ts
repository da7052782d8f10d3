import { nearestName } from '@gemini-mcp/core/internal';
import { ConfigurationError, type ConfigurationSources } from '@gemini-mcp/server';
import { readHttpConfiguration } from '../settings/read-http-configuration.ts';
import { maxSubjectCharacters } from './oauth/oauth-verifier.ts';
import { localPrincipal, type Principal, principalOwner } from './principal.ts';
import { readPrincipals } from './tokens/read-principals.ts';

/** Prefix of principals of the issuer, as in the log. No other principal has a colon in its name. */
const ofIssuer = 'oauth:';

/**
 * The owner id of a principal: a name in the principals file, `local` for the holder of the operator's token, or `oauth:<subject>` for a
 * subject of the configured issuer. Does not ask the issuer whether the subject exists. Rejects with a `ConfigurationError` for other names.
 */
export async function findOwner(name: string, sources: ConfigurationSources): Promise<string> {
  const { principalsFile, oauth } = readHttpConfiguration(sources).http;
  if (name.startsWith(ofIssuer)) {
    return ownerOfSubject(name.slice(ofIssuer.length), oauth);
  }
  const principals = await listPrincipals(principalsFile);
  const found = principals.find((principal) => principal.name === name);
  if (found === undefined) {
    const names = principals.map((principal) => principal.name);
    const nearest = nearestName(name, names);
    const others = oauth === null ? '' : `, and ${ofIssuer}<subject> for those of the issuer`;
    const meant = nearest === null ? `There are ${names.join(', ')}${others}.` : `Did you mean ${nearest}?`;
    throw new ConfigurationError(`--principal: no principal is named ${JSON.stringify(name)}. ${meant}`);
  }
  return found.owner;
}

/** The names of owners that the settings give; subjects of the issuer are not among them. Rejects with a `ConfigurationError`. */
export async function ownerNames(sources: ConfigurationSources): Promise<ReadonlyMap<string, string>> {
  const principals = await listPrincipals(readHttpConfiguration(sources).http.principalsFile);
  return new Map(principals.map(({ owner, name }) => [owner, name]));
}

async function listPrincipals(principalsFile: string | null): Promise<readonly Principal[]> {
  const tokens = principalsFile === null ? [] : await readPrincipals(principalsFile);
  return [...tokens.map(({ principal }) => principal), localPrincipal];
}

function ownerOfSubject(subject: string, oauth: { readonly issuer: string } | null): string {
  if (oauth === null) {
    throw new ConfigurationError(
      `--principal: ${ofIssuer}<subject> needs an issuer. Set GEMINI_MCP_OAUTH_ISSUER and GEMINI_MCP_OAUTH_AUDIENCE as for the server.`,
    );
  }
  if (subject === '' || subject.length > maxSubjectCharacters) {
    throw new ConfigurationError(`--principal: a subject has 1 to ${maxSubjectCharacters} characters.`);
  }
  return principalOwner('oauth', oauth.issuer, subject);
}
