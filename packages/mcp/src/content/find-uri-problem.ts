import { isMetadataHost } from '@gemini-mcp/core/internal';

const maxCharacters = 2_000;

/**
 * Why a client is not to be shown this URI, said of it; null where there is no reason. `schemes` may be used besides http and https:
 * those of resources that the server has. No other is allowed, since clients and systems act on many, such as `javascript:`, `file:` or
 * `vscode:`, and the list of those never ends.
 */
export function findUriProblem(uri: string, schemes: readonly string[]): string | null {
  if (uri.length > maxCharacters) {
    return `is longer than ${maxCharacters} characters`;
  }
  if (!/^[!-~]+$/.test(uri) || !URL.canParse(uri)) {
    return 'is no URI';
  }
  const { protocol, username, password, hostname } = new URL(uri);
  if (!['http', 'https', ...schemes].includes(protocol.slice(0, -1))) {
    return 'has a scheme that is not shown';
  }
  if (username !== '' || password !== '') {
    return 'has a login in it';
  }
  return isMetadataHost(hostname) ? 'leads to the credentials of a machine' : null;
}
