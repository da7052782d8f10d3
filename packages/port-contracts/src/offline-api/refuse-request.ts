import { apiError, permissionDenied } from './error-replies.ts';
import { findFunctionProblem } from './find-function-problem.ts';
import { findGenerationRefusal } from './find-generation-refusal.ts';
import { findToolsRefusal } from './find-tools-refusal.ts';
import { isJsonRecord, type JsonRecord, recordsIn } from './json-record.ts';
import type { RecordedRequest } from './recorded-request.ts';
import type { ErrorReply } from './reply.ts';

const maxPages = 20;

/** The answer to a request that the real API would refuse whatever the model; null for one that it would carry out. */
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
  // Reported of the real API by users of the Gemini CLI whose settings left it without any tool.
  const emptyTool = recordsIn(request.body['tools']).findIndex(({ functionDeclarations: functions }) => {
    return Array.isArray(functions) && functions.length === 0;
  });
  if (emptyTool >= 0) {
    return invalidArgument(
      `* GenerateContentRequest.tools[${emptyTool}].tool_type: required one_of 'tool_type' must have one initialized field`,
    );
  }
  const toolsProblem = findToolsRefusal(request.body['tools']);
  if (toolsProblem !== null) {
    return invalidArgument(toolsProblem);
  }
  const functionProblem = findFunctionProblem(request.contents);
  if (functionProblem !== null) {
    return invalidArgument(functionProblem);
  }
  // Seen of the real API (2026): it refuses the request before it reads any page.
  if (request.pageUrls.length > maxPages) {
    return invalidArgument(`Number of urls to lookup exceeds the limit (${request.pageUrls.length} > ${maxPages}).`);
  }
  const refusal = findGenerationRefusal(request.model, generationConfigOf(request.body));
  return refusal === null ? null : invalidArgument(refusal);
}

/** A request to count tokens has the request to generate inside. */
function generationConfigOf(body: JsonRecord): unknown {
  const inner = body['generateContentRequest'];
  return (isJsonRecord(inner) ? inner : body)['generationConfig'];
}

function invalidArgument(message: string): ErrorReply {
  return apiError({ code: 400, message, status: 'INVALID_ARGUMENT' });
}
