import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { isJsonRecord, type JsonRecord, recordsIn } from '../json-record.ts';
import type { ApiMethod, RecordedRequest, RequestContent } from './recorded-request.ts';

const METHODS: readonly ApiMethod[] = ['generateContent', 'streamGenerateContent', 'countTokens'];

export type Exchange = {
  /** Aborted when the client leaves before its answer is complete. */
  readonly clientGone: AbortSignal;
  /** Aborted when the answer is complete or the connection closed. */
  readonly over: AbortSignal;
};

/** Reads an arriving request into a record. */
export function recordRequest(message: IncomingMessage, body: Buffer, { clientGone, over }: Exchange): RecordedRequest {
  const path = message.url ?? '';
  const parsed = parseJson(body.toString('utf8'));
  const fields = generationFields(parsed);
  const contents = recordsIn(fields['contents']).map(toContent);
  const tools = recordsIn(fields['tools']);
  const userText = partTexts(contents.findLast(({ role }) => role === 'user')?.parts ?? []);
  const hasUrlContext = tools.some((tool) => 'urlContext' in tool || 'url_context' in tool);
  return {
    ...parseRoute(message.method ?? '', path),
    path,
    body: parsed,
    bodyBytes: body.length,
    contents,
    userText,
    systemText: readSystemText(fields),
    functionNames: tools.flatMap(readFunctionNames),
    hasGoogleSearch: tools.some((tool) => 'googleSearch' in tool),
    hasUrlContext,
    pageUrls: hasUrlContext ? userText.flatMap((text) => text.match(/https?:\/\/[^\s<>"']+/g) ?? []) : [],
    headerNames: message.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase()),
    apiKey: readApiKey(message, path),
    get aborted() {
      return clientGone.aborted;
    },
    whenAborted: () => whenAborted(clientGone),
    get isOver() {
      return over.aborted;
    },
    whenOver: () => whenAborted(over),
  };
}

/** The members of the request to generate, which `countTokens` takes as a whole. */
function generationFields(parsed: unknown): JsonRecord {
  const fields = isJsonRecord(parsed) ? parsed : {};
  const whole = fields['generateContentRequest'] ?? fields['generate_content_request'];
  return isJsonRecord(whole) ? whole : fields;
}

async function whenAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) {
    await once(signal, 'abort');
  }
}

function readApiKey({ headers }: IncomingMessage, path: string): string | null {
  const inHeader = headers['x-goog-api-key'] ?? /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
  return typeof inHeader === 'string' ? inHeader : new URLSearchParams(path.split('?')[1]).get('key');
}

const vertexPath = /^\/v1(?:beta1)?\/(?:projects\/[^/]+\/locations\/[^/]+\/)?publishers\/google(?=\/models\/)/;

function parseRoute(verb: string, path: string): Pick<RecordedRequest, 'method' | 'service' | 'model'> {
  if (verb === 'GET' && /^\/v1(?:beta|alpha)?\/models(?:\?|$)/.test(path)) {
    return { method: 'listModels', service: 'gemini', model: '' };
  }
  const match = /^\/v1(?:beta|alpha)?\/models\/([^/:?]+):(\w+)(?:\?|$)/.exec(path.replace(vertexPath, '/v1'));
  const method = METHODS.find((known) => known === match?.[2]);
  if (verb !== 'POST' || method === undefined) {
    return { method: 'other', service: 'gemini', model: '' };
  }
  return { method, service: vertexPath.test(path) ? 'vertex' : 'gemini', model: decodeURIComponent(match?.[1] ?? '') };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function toContent(content: JsonRecord): RequestContent {
  const { role, parts } = content;
  // The API takes a turn without a role for the user's.
  return { role: typeof role === 'string' ? role : 'user', parts: Array.isArray(parts) ? parts : [] };
}

function partTexts(parts: readonly unknown[]): readonly string[] {
  return recordsIn(parts).flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
}

function readSystemText(fields: JsonRecord): string {
  // The API accepts names in either case, like all JSON of protocol buffers.
  const system = fields['systemInstruction'] ?? fields['system_instruction'];
  return isJsonRecord(system) ? partTexts(toContent(system).parts).join('\n') : '';
}

function readFunctionNames(tool: JsonRecord): readonly string[] {
  return recordsIn(tool['functionDeclarations']).flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
}
