import { isJsonRecord } from '../json-record.ts';
import type { OfflineGeminiApi } from '../offline-gemini-api.ts';

/**
 * What a project created after 26 October 2026 would keep in Google's logs: one line for each request to generate without
 * `store: false`. Vertex AI has no such logs and no such field.
 */
export function describeStoredRequests({ requests }: Pick<OfflineGeminiApi, 'requests'>): readonly string[] {
  return requests
    .filter(({ method, service }) => service === 'gemini' && /generateContent$/i.test(method))
    .filter(({ body }) => !isJsonRecord(body) || body['store'] !== false)
    .map(({ path }) => `a log at Google, for lack of "store": false in ${path}`);
}
