import type { StatelessEndpoint } from './mcp-http-options.ts';
import { isModern, type ModernEndpoint } from './modern/http/modern-endpoint.ts';

/** One endpoint for both eras of the protocol: each request says of which it is. */
export function withModernEra(legacy: StatelessEndpoint, modern: ModernEndpoint): StatelessEndpoint {
  return {
    post: (request, body, caller) =>
      isModern(request.headers, body) ? modern.post(request, body, caller) : legacy.post(request, body, caller),
    callsEnded: async () => {
      await Promise.all([legacy.callsEnded(), modern.callsEnded()]);
    },
    close: async () => {
      modern.close();
      await legacy.close();
    },
  };
}
