import type { ApiLogin } from './api-login.ts';

export type EndpointOptions = {
  readonly login: ApiLogin;
  /** Base URL of the Gemini API, or of a server in its place; null for Google's. Vertex AI has its own. */
  readonly geminiBaseUrl: string | null;
  /** The same for Vertex AI. */
  readonly vertexBaseUrl: string | null;
};

/** The multi-regions of Vertex AI, whose host names have another form (`@google/genai` 3.1.0). */
const multiRegions: readonly string[] = ['us', 'eu'];

/** The address of a method of a model, by the login: `streamGenerateContent`, `countTokens`. Without a query. */
export function endpointOf(options: EndpointOptions, model: string, method: string): URL {
  return new URL(`${baseOf(options)}/models/${encodeURIComponent(model)}:${method}`);
}

/** The part before the models; `v1beta`, since `v1` lacks system instructions and tools in some places. */
function baseOf({ login, geminiBaseUrl, vertexBaseUrl }: EndpointOptions): string {
  switch (login.type) {
    case 'gemini-key':
      return `${trimmed(geminiBaseUrl ?? 'https://generativelanguage.googleapis.com')}/v1beta`;
    case 'vertex-key':
      return `${trimmed(vertexBaseUrl ?? 'https://aiplatform.googleapis.com')}/v1beta1/publishers/google`;
    case 'vertex-project': {
      const { project, location } = login;
      const place = `projects/${encodeURIComponent(project)}/locations/${encodeURIComponent(location)}`;
      return `${trimmed(vertexBaseUrl ?? vertexHost(location))}/v1beta1/${place}/publishers/google`;
    }
  }
}

function vertexHost(location: string): string {
  if (location === 'global') {
    return 'https://aiplatform.googleapis.com';
  }
  return multiRegions.includes(location)
    ? `https://aiplatform.${location}.rep.googleapis.com`
    : `https://${location}-aiplatform.googleapis.com`;
}

function trimmed(url: string): string {
  return url.replace(/\/+$/, '');
}
