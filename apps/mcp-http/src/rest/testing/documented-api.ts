import * as z from 'zod';

const content = z.record(z.string(), z.object({ schema: z.record(z.string(), z.json()) }));
const response = z.union([z.object({ content }), z.object({ $ref: z.string() })]);

const operation = z.object({ responses: z.record(z.string(), response) });

const openApi = z.object({
  paths: z.record(z.string(), z.object({ post: operation.optional(), delete: operation.optional() })),
  components: z.object({
    schemas: z.record(z.string(), z.json()),
    responses: z.record(z.string(), z.object({ content })),
  }),
});

export type Answered = {
  readonly path: string;
  /** Default: POST. */
  readonly method?: string;
  readonly status: number;
  /** A JSON body, or the data of one event. */
  readonly body: unknown;
  readonly isEvent: boolean;
};

/** The OpenAPI document as its readers parse it: pure JSON. */
export class DocumentedApi {
  readonly #document: z.output<typeof openApi>;
  readonly #schemas = new Map<string, z.ZodType>();

  constructor(document: unknown) {
    this.#document = openApi.parse(document);
  }

  /** The differences between a body and its documentation; empty if none. */
  problemsOf({ body, ...answered }: Answered): readonly string[] {
    const { issues = [] } = this.#schemaOf(answered).safeParse(body).error ?? {};
    return issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  }

  #schemaOf({ path, method, status, isEvent }: Omit<Answered, 'body'>): z.ZodType {
    const { paths, components } = this.#document;
    const isOfSession = path.startsWith('/api/sessions/') && method === 'DELETE';
    const documented = isOfSession ? paths['/api/sessions/{sessionId}']?.delete : paths[path]?.post;
    if (documented === undefined) {
      // An unknown path has errors of the same shape.
      return this.#read({ $ref: '#/components/schemas/Error' });
    }
    const found = documented.responses[String(status)];
    const resolved =
      found !== undefined && '$ref' in found ? components.responses[found.$ref.split('/').at(-1) ?? ''] : found;
    const schema = resolved?.content[isEvent ? 'text/event-stream' : 'application/json']?.schema;
    return schema === undefined ? z.never() : this.#read(schema);
  }

  #read(schema: Readonly<Record<string, z.core.util.JSONType>>): z.ZodType {
    const whole = JSON.stringify({ ...schema, $defs: this.#document.components.schemas });
    const read =
      this.#schemas.get(whole) ?? z.fromJSONSchema(JSON.parse(whole.replaceAll('#/components/schemas/', '#/$defs/')));
    this.#schemas.set(whole, read);
    return read;
  }
}
