import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { isJsonRecord, type JsonRecord, recordsIn } from './json-record.ts';
import type { ApiMethod, RecordedRequest, RequestContent } from './recorded-request.ts';

const METHODS: readonly ApiMethod[] = ['generateContent', 'streamGenerateContent', 'countTokens'];

/** Reads what arrived into a record. `clientGone` is aborted when the client leaves before its answer is complete. */
export function recordRequest(message: IncomingMessage, body: Buffer, clientGone: AbortSignal): RecordedRequest {
  const path = message.url ?? '';
  const parsed = parseJson(body.toString('utf8'));
  const fields = isJsonRecord(parsed) ? parsed : {};
  const contents = recordsIn(fields['contents']).map(toContent);
  const tools = recordsIn(fields['tools']);
  const apiKey = message.headers['x-goog-api-key'];
  return {
    ...parseRoute(message.method ?? '', path),
    path,
    body: parsed,
    bodyBytes: body.length,
    contents,
    userText: partTexts(contents.findLast(({ role }) => role === 'user')?.parts ?? []),
    systemText: readSystemText(fields),
    functionNames: tools.flatMap(readFunctionNames),
    hasGoogleSearch: tools.some((tool) => 'googleSearch' in tool),
    headerNames: message.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase()),
    apiKey: typeof apiKey === 'string' ? apiKey : null,
    get aborted() {
      return clientGone.aborted;
    },
    async whenAborted() {
      if (!clientGone.aborted) {
        await once(clientGone, 'abort');
      }
    },
  };
}

function parseRoute(verb: string, path: string): { readonly method: ApiMethod; readonly model: string } {
  const match = /^\/v1(?:beta|alpha)?\/models\/([^/:?]+):(\w+)(?:\?|$)/.exec(path);
  const method = METHODS.find((known) => known === match?.[2]);
  if (verb !== 'POST' || method === undefined) {
    return { method: 'other', model: '' };
  }
  return { method, model: decodeURIComponent(match?.[1] ?? '') };
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
  const system = fields['systemInstruction'];
  return isJsonRecord(system) ? partTexts(toContent(system).parts).join('\n') : '';
}

function readFunctionNames(tool: JsonRecord): readonly string[] {
  return recordsIn(tool['functionDeclarations']).flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
}
