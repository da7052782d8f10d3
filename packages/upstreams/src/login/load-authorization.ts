/** The parts of the SDK that logins use. */
export type AuthorizationParts = Pick<
  typeof import('@modelcontextprotocol/sdk/client/auth.js'),
  | 'discoverAuthorizationServerMetadata'
  | 'discoverOAuthProtectedResourceMetadata'
  | 'exchangeAuthorization'
  | 'extractWWWAuthenticateParams'
  | 'refreshAuthorization'
  | 'registerClient'
  | 'startAuthorization'
> &
  Pick<
    typeof import('@modelcontextprotocol/sdk/server/auth/errors.js'),
    'InvalidClientError' | 'InvalidGrantError' | 'OAuthError' | 'ServerError' | 'UnauthorizedClientError'
  > &
  Pick<typeof import('@modelcontextprotocol/sdk/shared/auth-utils.js'), 'checkResourceAllowed'>;

let loaded: Promise<AuthorizationParts> | undefined;

/** Loads the SDK's authorization module on first use. */
export function loadAuthorization(): Promise<AuthorizationParts> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<AuthorizationParts> {
  const [client, errors, utils] = await Promise.all([
    import('@modelcontextprotocol/sdk/client/auth.js'),
    import('@modelcontextprotocol/sdk/server/auth/errors.js'),
    import('@modelcontextprotocol/sdk/shared/auth-utils.js'),
  ]);
  return { ...client, ...errors, ...utils };
}
