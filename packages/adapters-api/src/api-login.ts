import type { GeminiFailure } from '@gemini-mcp/core';

/** A token, or the reason for its absence. */
export type AccessToken =
  | { readonly ok: true; readonly token: string }
  | { readonly ok: false; readonly failure: GeminiFailure };

/** The identity of API requests. */
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
      /** Resolves to an OAuth access token for the scope `cloud-platform`, the same one while it is valid. Never rejects. */
      readonly accessToken: () => Promise<AccessToken>;
    };
