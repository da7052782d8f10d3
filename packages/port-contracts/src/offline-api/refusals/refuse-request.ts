import { isJsonRecord, type JsonRecord, recordsIn } from '../json-record.ts';
import { apiError, permissionDenied } from '../replies/error-replies.ts';
import type { ErrorReply } from '../replies/reply.ts';
import type { RecordedRequest } from '../requests/recorded-request.ts';
import { findContentsRefusal } from './find-contents-refusal.ts';
import { findGenerationRefusal } from './find-generation-refusal.ts';
import { findToolsRefusal } from './find-tools-refusal.ts';

const maxPages = 20;

/** The answer to a request that the real API would refuse whatever the model; null if it would accept it. */
export function refuseRequest(request: RecordedRequest): ErrorReply | null {
  if (request.method === 'other') {
    return apiError({ code: 404, message: `Method not found: ${request.path}`, status: 'NOT_FOUND' });
  }
  if (request.apiKey === null || request.apiKey === '') {
    return permissionDenied(
      "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
    );
  }
  if (request.method === 'listModels') {
    return null;
  }
  if (!isJsonRecord(request.body)) {
    return invalidArgument('Invalid JSON payload received.');
  }
  const problem =
    findFieldRefusal(request, request.body) ??
    findEmptyTool(request.body) ??
    findToolsRefusal(request.body['tools']) ??
    (request.method === 'countTokens' ? null : findContentsRefusal(request)) ??
    findPagesRefusal(request) ??
    findGenerationRefusal(request.model, generationConfigOf(request.body));
  return problem === null ? null : invalidArgument(problem);
}

/** The messages of Vertex AI (v1beta1) lack these fields, and JSON with unknown names is refused. */
function findFieldRefusal({ service }: RecordedRequest, body: JsonRecord): string | null {
  const unknown = ['store', 'service_tier', 'generateContentRequest'].find((name) => name in body);
  return service === 'gemini' || unknown === undefined
    ? null
    : `Invalid JSON payload received. Unknown name "${unknown}": Cannot find field.`;
}

/** Reported by users of the Gemini CLI whose settings left it without any tool. */
function findEmptyTool(body: JsonRecord): string | null {
  const empty = recordsIn(body['tools']).findIndex(({ functionDeclarations: functions }) => {
    return Array.isArray(functions) && functions.length === 0;
  });
  return empty < 0
    ? null
    : `* GenerateContentRequest.tools[${empty}].tool_type: required one_of 'tool_type' must have one initialized field`;
}

/** Seen with the real API (2026): it refuses the request before it reads any page. */
function findPagesRefusal({ pageUrls }: RecordedRequest): string | null {
  return pageUrls.length > maxPages
    ? `Number of urls to lookup exceeds the limit (${pageUrls.length} > ${maxPages}).`
    : null;
}

/** A request to count tokens has the request to generate inside. */
function generationConfigOf(body: JsonRecord): unknown {
  const inner = body['generateContentRequest'];
  return (isJsonRecord(inner) ? inner : body)['generationConfig'];
}

function invalidArgument(message: string): ErrorReply {
  return apiError({ code: 400, message, status: 'INVALID_ARGUMENT' });
}
