import type { Context } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { HttpEnv } from '../http-env.ts';

/**
 * The pattern of the route that a request is for, as it was registered: what a caller wrote into the path is not in it.
 * `unknown` for one that no route but middleware matches.
 */
export function routeOf(context: Context<HttpEnv>): string {
  return matchedRoutes(context).find(({ path }) => !path.endsWith('*'))?.path ?? 'unknown';
}
