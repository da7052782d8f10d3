import type { MiddlewareHandler } from 'hono';
import type { HttpEnv } from '../../http-env.ts';
import { type Refusal, refuse } from '../../refusal.ts';
import { checkHost } from './check-host.ts';

export type GuardHostOptions = {
  /** Names in addition to the loopback ones, each with or without a port. */
  readonly allowedHosts: readonly string[];
};

const refusal: Refusal = {
  status: 403,
  code: 'host-not-allowed',
  message:
    'This server does not answer to the host that the request names. Use the address that it prints when it starts; its ' +
    'operator can allow other names with GEMINI_MCP_ALLOWED_HOSTS.',
};

/** Refuses what is not for this server, before who sent it is looked at and before anything of its body is read. */
export function guardHost({ allowedHosts }: GuardHostOptions): MiddlewareHandler<HttpEnv> {
  return async (context, next) => (checkHost(context.env.incoming, allowedHosts) ? next() : refuse(context, refusal));
}
