/** An authorization server and a protected MCP server on loopback, for tests of logins. */

export { AuthorizationServer, type AuthorizationServerOptions } from './authorization-server.ts';
export { LoginBrowser } from './login-browser.ts';
export { ProtectedServer, type ProtectedServerOptions } from './protected-server.ts';
