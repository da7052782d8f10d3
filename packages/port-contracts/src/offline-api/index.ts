export { isJsonRecord, type JsonRecord, recordsIn } from './json-record.ts';
export type { ListedModel } from './model-list.ts';
export { type OfflineGeminiApi, type OfflineGeminiApiOptions, startOfflineGeminiApi } from './offline-gemini-api.ts';
export { findFunctionRefusal } from './refusals/find-function-refusal.ts';
export { findSchemaRefusal } from './refusals/find-schema-refusal.ts';
export { describeArrival } from './replies/describe-arrival.ts';
export {
  type ApiErrorFields,
  apiError,
  capacityExhausted,
  dailyQuota,
  deadline,
  internal,
  invalidApiKey,
  modelNotFound,
  overloaded,
  permissionDenied,
  plain429,
  rateLimited,
  tokenCountExceeded,
  unauthorized,
  zeroQuota,
} from './replies/error-replies.ts';
export {
  blocked,
  brokenBy,
  cut,
  empty,
  type GatedText,
  type GroundedIn,
  grounded,
  groundedIn,
  hang,
  noFinish,
  pagesTried,
  promptBlocked,
  readingPages,
  slow,
  type TextOptions,
  type TriedPage,
  text,
  thoughtsOnly,
  toolCall,
  toolCalls,
  type WebSource,
} from './replies/replies.ts';
export type {
  AnswerReply,
  CountReply,
  ErrorReply,
  Reply,
  ReplyChunk,
  ReplyFunction,
  ReplyUsage,
} from './replies/reply.ts';
export { byModel, inOrder } from './replies/reply-scripts.ts';
export { describeStoredRequests } from './requests/describe-stored-requests.ts';
export type { ApiMethod, RecordedRequest, RequestContent } from './requests/recorded-request.ts';
export type { RecordedError } from './samples/recorded-error.ts';
export { recordedErrors } from './samples/recorded-errors.ts';
export { type RecordedStream, recordedStreams } from './samples/recorded-streams.ts';
