import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiLogin } from './api-login.ts';
import { googleCloudLogin } from './google-cloud-login.ts';

export type ApiVariables = Readonly<Record<string, string | undefined>>;

/**
 * The login in an environment, by the variables that the Gemini CLI reads. If `GOOGLE_GENAI_USE_VERTEXAI` (or
 * `GOOGLE_GENAI_USE_ENTERPRISE`) is `true` or `1`, it is for Vertex AI: the project of `GOOGLE_CLOUD_PROJECT` with the credentials in
 * `GOOGLE_APPLICATION_CREDENTIALS`, or in the file that `gcloud` writes below `HOME`, if it exists; else the key in `GOOGLE_API_KEY`.
 * Otherwise the key in `GEMINI_API_KEY` or `GOOGLE_API_KEY` for the Gemini API. Null if all are missing. Reads variables, checks whether
 * that file exists, and makes no request.
 */
export function findApiLogin(variables: ApiVariables): ApiLogin | null {
  const read = (name: string): string | null => variables[name]?.trim() || null;
  const usesVertex = ['GOOGLE_GENAI_USE_VERTEXAI', 'GOOGLE_GENAI_USE_ENTERPRISE'].some((name) =>
    /^(?:true|1)$/i.test(read(name) ?? ''),
  );
  const googleKey = read('GOOGLE_API_KEY');
  if (usesVertex) {
    return findProject(read) ?? (googleKey === null ? null : { type: 'vertex-key', apiKey: googleKey });
  }
  const apiKey = read('GEMINI_API_KEY') ?? googleKey;
  return apiKey === null ? null : { type: 'gemini-key', apiKey };
}

/** A project takes precedence over a key, as in Google's own SDK. */
function findProject(read: (name: string) => string | null): ApiLogin | null {
  const project = read('GOOGLE_CLOUD_PROJECT');
  const home = read('HOME');
  const credentialsFile = read('GOOGLE_APPLICATION_CREDENTIALS') ?? (home === null ? null : fileOfGcloud(home));
  if (project === null || credentialsFile === null) {
    return null;
  }
  const location = read('GOOGLE_CLOUD_LOCATION');
  return googleCloudLogin({ project, credentialsFile, ...(location !== null && { location }) });
}

/** Often missing on machines in Google's cloud: the Gemini CLI then asks the metadata server, which the API runner never does. */
function fileOfGcloud(home: string): string | null {
  const path = join(home, '.config', 'gcloud', 'application_default_credentials.json');
  return existsSync(path) ? path : null;
}
