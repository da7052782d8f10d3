import * as z from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { errorResponses } from './open-api-errors.ts';

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
      '200': { description: 'How it is now.', content: { 'application/json': { schema } } },
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
