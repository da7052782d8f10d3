import type { ComposedServer, ServerParts } from '@gemini-mcp/server';
import type { MiddlewareHandler } from 'hono';
import type { InjectionToken } from 'tsyringe';
import type { OAuthVerifier } from './access/oauth/oauth-verifier.ts';
import type { Challenge } from './access/required-scopes.ts';
import type { HttpEnv } from './http-env.ts';
import type { McpEndpoints } from './mcp-endpoints.ts';
import type { Metrics } from './operation/create-metrics.ts';
import type { Drain } from './operation/shut-down.ts';
import type { Surfaces } from './surfaces.ts';

// Each token carries its type here, in its own file: TypeScript would narrow it to a plain symbol at its declaration.
/** One for each part of the server. Register another adapter with its token to replace ours. */
export const PARTS: { readonly [Name in keyof ServerParts]: InjectionToken<ServerParts[Name]> } = {
  observers: Symbol('observers'),
  clock: Symbol('clock'),
  finder: Symbol('finder'),
  loopbackToolServer: Symbol('loopbackToolServer'),
  runners: Symbol('runners'),
  runner: Symbol('runner'),
  modelChain: Symbol('modelChain'),
  resolverOf: Symbol('resolverOf'),
  records: Symbol('records'),
  localRecords: Symbol('localRecords'),
  sessions: Symbol('sessions'),
  usage: Symbol('usage'),
  audit: Symbol('audit'),
  answers: Symbol('answers'),
  executor: Symbol('executor'),
  changes: Symbol('changes'),
  approvals: Symbol('approvals'),
  upstreams: Symbol('upstreams'),
  queue: Symbol('queue'),
  previewQueue: Symbol('previewQueue'),
  health: Symbol('health'),
  knownModels: Symbol('knownModels'),
  jobs: Symbol('jobs'),
};
export const SERVER: InjectionToken<ComposedServer> = Symbol('Server');
/** The surface of each principal. */
export const SURFACES: InjectionToken<Surfaces> = Symbol('Surfaces');
export const METRICS: InjectionToken<Metrics> = Symbol('Metrics');
export const DRAIN: InjectionToken<Drain> = Symbol('Drain');
export const OAUTH: InjectionToken<OAuthVerifier | null> = Symbol('OAuth');
export const CHALLENGE: InjectionToken<Challenge> = Symbol('Challenge');
export const READ_BODY: InjectionToken<MiddlewareHandler<HttpEnv>> = Symbol('ReadBody');
export const MCP: InjectionToken<McpEndpoints> = Symbol('Mcp');
