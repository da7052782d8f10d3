import type { Context } from 'hono';
import { routePath } from 'hono/route';
import type { HttpEnv } from '../http-env.ts';

/**
 * The pattern of the route that a request is for, as it was registered: what a caller wrote into the path is not in it.
 * `unknown` for one that no route but middleware matches.
 */
export function routeOf(context: Context<HttpEnv>): string {
  const pattern = routePath(context, -1);
  return pattern === '' || pattern.endsWith('*') ? 'unknown' : pattern;
}
