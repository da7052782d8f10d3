import type { Tool } from '@gemini-mcp/mcp';
import { prepareCall } from '@gemini-mcp/mcp/internal';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createOpenApiDocument, exampleEvents } from './open-api-document.ts';
import { DocumentedApi } from './testing/documented-api.ts';
import { RestScene } from './testing/rest-scene.ts';

const options = { version: '1.2.3', serverUrl: 'http://127.0.0.1:3000', oauthIssuer: null };
const { surface } = new RestScene();

/** As its readers parse it. */
function documentOf(given: Partial<Parameters<typeof createOpenApiDocument>[1]> = {}) {
  const schema = z.object({
    servers: z.json(),
    paths: z.record(
      z.string(),
      z.object({
        post: z.object({
          operationId: z.string(),
          security: z.array(z.record(z.string(), z.array(z.string()))),
          requestBody: z.object({ content: z.record(z.string(), z.object({ schema: z.json(), example: z.json() })) }),
          responses: z.record(z.string(), z.unknown()),
        }),
      }),
    ),
    components: z.object({ securitySchemes: z.json() }),
  });
  const { paths, ...rest } = createOpenApiDocument(surface, { ...options, ...given });
  const { '/api/sessions/{sessionId}': session, ...ofTools } = paths ?? {};
  return { ...schema.parse(JSON.parse(JSON.stringify({ ...rest, paths: ofTools }))), session };
}

describe('the OpenAPI document', () => {
  it('has a path for each tool, with the schema that parses its arguments', () => {
    const { paths } = documentOf();
    expect(Object.keys(paths)).toEqual(surface.tools.map(({ restPath }) => `/api/${restPath}`).sort());
    for (const { name, input, restPath } of surface.tools) {
      const { $schema: _, ...schema } = 'shape' in input ? z.toJSONSchema(input, { io: 'input' }) : input.jsonSchema;
      const { post } = paths[`/api/${restPath}`] ?? {};
      expect(post).toMatchObject({ operationId: name, requestBody: { content: { 'application/json': { schema } } } });
    }
  });

  it('has no path for a tool without one', () => {
    const pathless: Tool = {
      name: 'pathless',
      title: 'Pathless',
      description: 'Is not offered over REST.',
      input: z.strictObject({}),
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      run: async () => ({ text: '', isError: false }),
    };
    const { paths } = createOpenApiDocument({ ...surface, tools: [...surface.tools, pathless] }, options);
    expect(Object.keys(paths ?? {})).toEqual(Object.keys(createOpenApiDocument(surface, options).paths ?? {}));
  });

  it('has a conversation as a resource that can be deleted', () => {
    expect(documentOf().session).toMatchObject({
      delete: {
        operationId: 'deleteSession',
        parameters: [{ in: 'path', name: 'sessionId', required: true, schema: { format: 'uuid' } }],
        responses: { '200': {}, '404': {} },
      },
    });
    expect(documentOf().session).not.toHaveProperty('post');
    expect(documentOf().session?.delete).not.toHaveProperty('requestBody');
  });

  it('names the base of the paths', () => {
    expect(documentOf().servers).toEqual([{ url: 'http://127.0.0.1:3000' }]);
    expect(documentOf({ serverUrl: '' }).servers).toEqual([{ url: '/' }]);
  });

  it('describes the answer for a job, if jobs exist', () => {
    const { paths } = documentOf();
    const withJobs = Object.keys(paths).filter((path) => '202' in (paths[path]?.post.responses ?? {}));
    expect(withJobs).toEqual([
      '/api/gemini-agent',
      '/api/gemini-chat',
      '/api/gemini-job',
      '/api/gemini-query',
      '/api/gemini-review',
    ]);
  });

  it('describes the token', () => {
    expect(documentOf().paths['/api/chat']?.post.security).toEqual([{ token: [] }]);
    const { components, paths } = documentOf({ oauthIssuer: 'https://issuer.example/' });
    expect(components.securitySchemes).toMatchObject({
      oauth: { openIdConnectUrl: 'https://issuer.example/.well-known/openid-configuration' },
    });
    expect(paths['/api/gemini-context']?.post.security).toEqual([
      { token: [] },
      { oauth: ['gemini:query', 'gemini:files'] },
    ]);
  });

  it('has examples that are accepted', async () => {
    for (const tool of surface.tools) {
      expect(tool.example, tool.name).toBeDefined();
      expect(await prepareCall(tool, tool.example, () => undefined)).toMatchObject({ isAccepted: true });
    }
    const documented = new DocumentedApi(JSON.parse(JSON.stringify(createOpenApiDocument(surface, options))));
    const problems = Object.values(exampleEvents).flatMap(({ value: body }) =>
      documented.problemsOf({ path: '/api/gemini-chat', status: 200, body, isEvent: true }),
    );
    expect(problems).toEqual([]);
  });

  it('distinguishes documented from undocumented responses', () => {
    const documented = new DocumentedApi(JSON.parse(JSON.stringify(createOpenApiDocument(surface, options))));
    const answered = { path: '/api/gemini-chat', isEvent: false } as const;
    const error = { code: 'busy', message: 'm', requestId: 'r' };
    expect(documented.problemsOf({ ...answered, status: 503, body: { error } })).toEqual([]);
    expect(documented.problemsOf({ ...answered, status: 503, body: { error: { code: 'busy' } } })).not.toEqual([]);
    expect(documented.problemsOf({ ...answered, status: 503, body: { error, more: 1 } })).not.toEqual([]);
    expect(documented.problemsOf({ ...answered, status: 418, body: { error } })).not.toEqual([]);
    expect(documented.problemsOf({ ...answered, isEvent: true, status: 200, body: { type: 'end' } })).not.toEqual([]);
  });

  it('is served, and written once for each surface', async () => {
    let written = 0;
    const watched: Tool = {
      name: 'watched',
      restPath: 'watched',
      title: 'Watched',
      get description() {
        written += 1;
        return 'Counts how often it is described.';
      },
      input: z.strictObject({}),
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      run: async () => ({ text: '', isError: false }),
    };
    const { app } = new RestScene({ moreTools: [watched] });
    const [one, other] = [await app.request('/openapi.json'), await app.request('/openapi.json')];
    expect(one.headers.get('Content-Type')).toBe('application/json');
    expect(await one.text()).toBe(await other.text());
    expect(written).toBe(1);
  });
});
