import type { BegunLogins, LoginAnswer, LoginBeginning, LoginKey, ServerLogins } from '@gemini-mcp/core/internal';
import type { Scope } from '@gemini-mcp/mcp/internal/declarations';
import { type Context, Hono } from 'hono';
import * as z from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import type { HttpEnv } from '../http-env.ts';
import { refuse, wrongMethod } from '../refusal.ts';
import { respondWithProblem } from './answer-with-json.ts';
import { errorResponses } from './open-api-document.ts';

export type LoginRoutesOptions = {
  readonly logins: Pick<ServerLogins, 'known' | 'logout'>;
  readonly begun: Pick<BegunLogins, 'begin' | 'answer'>;
  /** The refusal if the token does not allow the request, otherwise null. */
  readonly refuseWithout: (context: Context<HttpEnv>, needed: readonly Scope[]) => Response | null;
};

const needed: readonly Scope[] = ['gemini:servers'];

/**
 * The caller's login to another server, `/<server>/login`: GET returns its state, POST begins one or, with the browser's
 * final address, finishes it, DELETE ends it.
 */
export function createLoginRoutes({ logins, begun, refuseWithout }: LoginRoutesOptions): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();
  routes.all('/:server/login', async (context) => {
    const refused = refuseWithout(context, needed);
    if (refused !== null) {
      return refused;
    }
    const place: LoginKey = { owner: context.get('principal').owner, server: context.req.param('server') };
    const { signal } = context.req.raw;
    switch (context.req.method) {
      case 'GET':
        return context.json(await logins.known(place, signal), 200, unkept);
      case 'DELETE':
        return context.json(await logins.logout(place, signal), 200, unkept);
      case 'POST':
        return await post(context, place, begun);
      default:
        return refuse(
          context,
          wrongMethod('GET, POST, DELETE', 'Use GET to read a login, POST to begin or finish one, DELETE to end it.'),
        );
    }
  });
  return routes;
}

const unkept = { 'Cache-Control': 'no-store' };

async function post(context: Context<HttpEnv>, place: LoginKey, begun: LoginRoutesOptions['begun']): Promise<Response> {
  const address = addressIn(context.get('body'));
  if (address === undefined) {
    return respondWithProblem(context, { status: 400, problem: wrongBody });
  }
  const end: LoginBeginning | LoginAnswer =
    address === null ? await begun.begin(place) : await begun.answer(place, address);
  if (end.type === 'not-awaited') {
    return respondWithProblem(context, { status: 409, problem: notAwaited });
  }
  return context.json(end, 200, unkept);
}

/** Null for a body without one, undefined for an invalid one. */
function addressIn(body: unknown): string | null | undefined {
  if (typeof body !== 'object' || body === null || Object.keys(body).some((name) => name !== 'address')) {
    return undefined;
  }
  const address = 'address' in body ? body.address : null;
  return typeof address === 'string' || address === null ? address : undefined;
}

const wrongBody = {
  code: 'invalid-arguments',
  message: 'The body is {} to begin a login, or {"address": "…"} with the browser\'s final address.',
} as const;

const notAwaited = {
  code: 'login-not-awaited',
  message: "No login waits for this address. Begin one with {}, open its link, and send the browser's final address.",
} as const;

const security = [{ token: [] }];
const path = z.object({ server: z.string() });

const ended = [
  z.object({ type: z.literal('logged-in'), issuer: z.string(), scopes: z.array(z.string()) }),
  z.object({ type: z.literal('not-needed'), detail: z.string() }),
  z.object({ type: z.literal('failed'), detail: z.string() }),
  z.object({ type: z.literal('cancelled') }),
] as const;

const link = z.object({
  type: z.literal('link'),
  url: z.string().describe('To be opened by the user within ten minutes.'),
});

const begun: z.ZodType = z.union([link, ...ended]);

const known: z.ZodType = z.union([
  z.object({ type: z.literal('none') }),
  z.object({ type: z.literal('logged-in'), issuer: z.string(), scopes: z.array(z.string()) }),
  z.object({ type: z.literal('refused'), issuer: z.string(), detail: z.string() }),
]);

const loggedOut: z.ZodType = z.union([
  z.object({ type: z.literal('logged-out'), isRevoked: z.boolean().describe('Whether its issuer has ended it.') }),
  z.object({ type: z.literal('none') }),
  z.object({ type: z.literal('failed'), detail: z.string() }),
]);

function operation(operationId: string, summary: string, schema: z.ZodType): ZodOpenApiOperationObject {
  return {
    operationId,
    summary,
    security,
    requestParams: { path },
    responses: {
      '200': { description: 'Its current state.', content: { 'application/json': { schema } } },
      ...errorResponses,
    },
  };
}

/** Logins to other servers as OpenAPI has them. */
export const loginPaths: ZodOpenApiPathsObject = {
  '/api/servers/{server}/login': {
    get: operation('knownLogin', 'See your login to another MCP server', known),
    post: {
      ...operation('logIn', 'Log in to another MCP server', begun),
      description:
        'With {}: a link for the user to open. The browser ends at an address of 127.0.0.1; sent here, it finishes the login.',
      requestBody: {
        required: true,
        content: { 'application/json': { schema: z.object({ address: z.string().optional() }) } },
      },
    },
    delete: operation('logOut', 'Log out of another MCP server', loggedOut),
  },
};
