import type { ComposedServer } from '@gemini-mcp/server';
import type { MiddlewareHandler } from 'hono';
import type { InjectionToken } from 'tsyringe';
import type { Challenge } from './access/challenge.ts';
import type { OAuthVerifier } from './access/oauth/oauth-verifier.ts';
import type { HttpEnv } from './http-env.ts';
import type { McpEndpoints } from './mcp/mcp-endpoints.ts';
import type { Drain } from './operation/drain.ts';
import type { Metrics } from './operation/metrics/create-metrics.ts';
import type { Surfaces } from './reach/surfaces.ts';

// Each token carries its type here, in a file of its own: where it is declared, TypeScript would narrow it to a plain symbol.
export const SERVER: InjectionToken<ComposedServer> = Symbol('Server');
/** What each principal is offered. */
export const SURFACES: InjectionToken<Surfaces> = Symbol('Surfaces');
export const METRICS: InjectionToken<Metrics> = Symbol('Metrics');
export const DRAIN: InjectionToken<Drain> = Symbol('Drain');
export const OAUTH: InjectionToken<OAuthVerifier | null> = Symbol('OAuth');
export const CHALLENGE: InjectionToken<Challenge> = Symbol('Challenge');
export const READ_BODY: InjectionToken<MiddlewareHandler<HttpEnv>> = Symbol('ReadBody');
export const MCP: InjectionToken<McpEndpoints> = Symbol('Mcp');
