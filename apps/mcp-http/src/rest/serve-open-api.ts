import type { Surface } from '@gemini-mcp/mcp';
import type { Handler } from 'hono';
import type { Principal } from '../access/principal.ts';
import type { HttpEnv } from '../http-env.ts';
import { createOpenApiDocument, type OpenApiOptions } from './open-api-document.ts';

export type ServeOpenApiOptions = OpenApiOptions & {
  readonly surfaceOf: (principal: Principal) => Surface | Promise<Surface>;
};

/** Answers with the OpenAPI document of what the caller is offered, written once for each surface. Comes after `authenticate`. */
export function serveOpenApi({ surfaceOf, ...options }: ServeOpenApiOptions): Handler<HttpEnv> {
  const documents = new WeakMap<Surface, string>();
  return async (context) => {
    const surface = await surfaceOf(context.get('principal'));
    const document = documents.get(surface) ?? JSON.stringify(createOpenApiDocument(surface, options), null, 2);
    documents.set(surface, document);
    return context.body(document, 200, { 'Content-Type': 'application/json', 'Cache-Control': 'private, no-cache' });
  };
}
