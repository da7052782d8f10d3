import type { JsonRecord } from './json-record.ts';
import type { RecordedRequest } from './requests/recorded-request.ts';

/** One model as the API lists it (`Model` of v1beta). */
export type ListedModel = {
  /** Without `models/`. */
  readonly name: string;
  readonly inputTokenLimit: number;
  readonly outputTokenLimit: number;
};

const millionTokens = { inputTokenLimit: 1_048_576, outputTokenLimit: 65_536 } as const;

/** The models of the two default chains. */
export const listedModels: readonly ListedModel[] = [
  'gemini-4-carbon',
  'gemini-4-argon',
  'gemini-3.8-flash',
  'gemini-3.5-flash-lite',
  'gemini-3.1-pro-preview',
  'gemini-3-flash-preview',
].map((name) => ({ name, ...millionTokens }));

const usualPageSize = 50;
const maxPageSize = 1_000;

/** A page of the list for `pageSize` and `pageToken`. A token is the index of the page's first model. */
export function pageOfModels({ path }: RecordedRequest, models: readonly ListedModel[]): JsonRecord {
  const query = new URLSearchParams(path.split('?')[1]);
  const size = Math.min(Number(query.get('pageSize')) || usualPageSize, maxPageSize);
  const start = Number(query.get('pageToken') ?? 0);
  const end = start + size;
  return {
    models: models.slice(start, end).map(({ name, ...limits }) => ({
      name: `models/${name}`,
      ...limits,
      thinking: true,
      supportedGenerationMethods: ['generateContent', 'countTokens'],
    })),
    ...(end < models.length && { nextPageToken: String(end) }),
  };
}
