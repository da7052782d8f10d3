import { nearestName } from '@gemini-mcp/core/internal';
import { ConfigurationError, type ConfigurationSources } from '@gemini-mcp/server';
import { readHttpConfiguration } from '../settings/read-http-configuration.ts';
import { localPrincipal } from './local-principal.ts';
import { readPrincipals } from './tokens/read-principals.ts';

/**
 * The owner of what belongs to a principal of the settings: one of the principals file, or `local`, the holder of the one token. Rejects with a
 * `ConfigurationError` for any other name: those of an issuer are known by their tokens alone.
 */
export async function findOwner(name: string, sources: ConfigurationSources): Promise<string> {
  const { principalsFile } = readHttpConfiguration(sources).http;
  const tokens = principalsFile === null ? [] : await readPrincipals(principalsFile);
  const principals = [...tokens.map(({ principal }) => principal), localPrincipal];
  const found = principals.find((principal) => principal.name === name);
  if (found === undefined) {
    const names = principals.map((principal) => principal.name);
    const nearest = nearestName(name, names);
    const meant = nearest === null ? `There are ${names.join(', ')}.` : `Did you mean ${nearest}?`;
    throw new ConfigurationError(`--principal: ${JSON.stringify(name)} is no principal. ${meant}`);
  }
  return found.owner;
}
