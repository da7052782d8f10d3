import type { GeminiFailure } from '@gemini-mcp/core';

/** A token, or why there is none. */
export type AccessToken =
  | { readonly ok: true; readonly token: string }
  | { readonly ok: false; readonly failure: GeminiFailure };

/** As whom the API is asked. */
export type ApiLogin =
  /** A key of Google AI Studio, for the Gemini API. */
  | { readonly type: 'gemini-key'; readonly apiKey: string }
  /** A key of Vertex AI in its express mode. */
  | { readonly type: 'vertex-key'; readonly apiKey: string }
  /** A project of Google Cloud. */
  | {
      readonly type: 'vertex-project';
      readonly project: string;
      /** `global`, a region such as `europe-west4`, or one of the multi-regions `us` and `eu`. */
      readonly location: string;
      /** Resolves to an OAuth access token for the scope `cloud-platform`, the same one as long as it is good. Never rejects. */
      readonly accessToken: () => Promise<AccessToken>;
    };
