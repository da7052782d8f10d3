import type { ApiLogin } from './api-login.ts';

export type ApiVariables = Readonly<Record<string, string | undefined>>;

/**
 * The login with a key that an environment has, by the names that the Gemini CLI reads: for Vertex AI where
 * `GOOGLE_GENAI_USE_VERTEXAI` (or `GOOGLE_GENAI_USE_ENTERPRISE`) is `true` or `1`, else for the Gemini API. Null where it has none.
 * Reads nothing but these variables, and makes no request.
 */
export function findApiLogin(variables: ApiVariables): ApiLogin | null {
  const usesVertex = ['GOOGLE_GENAI_USE_VERTEXAI', 'GOOGLE_GENAI_USE_ENTERPRISE'].some((name) =>
    /^(?:true|1)$/i.test(variables[name] ?? ''),
  );
  const [geminiKey, googleKey] = ['GEMINI_API_KEY', 'GOOGLE_API_KEY'].map((name) => variables[name]?.trim() || null);
  if (usesVertex) {
    return googleKey == null ? null : { type: 'vertex-key', apiKey: googleKey };
  }
  const apiKey = geminiKey ?? googleKey;
  return apiKey == null ? null : { type: 'gemini-key', apiKey };
}
