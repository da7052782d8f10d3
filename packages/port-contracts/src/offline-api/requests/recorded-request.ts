/** The purpose of a request; `other` is unknown to this API. */
export type ApiMethod = 'generateContent' | 'streamGenerateContent' | 'countTokens' | 'listModels' | 'other';

/** One turn of the conversation as the client sent it. */
export type RequestContent = {
  readonly role: string;
  readonly parts: readonly unknown[];
};

/** One request whose body arrived completely. Everything but `aborted` and `isOver` is fixed on arrival. */
export type RecordedRequest = {
  readonly method: ApiMethod;
  /** The API of the path: the Gemini API, also for `other`, or Vertex AI. */
  readonly service: 'gemini' | 'vertex';
  /** Path and query as received. */
  readonly path: string;
  /** The model named in the path; empty for `listModels` and `other`. */
  readonly model: string;
  /** The parsed body, or null if empty or invalid. */
  readonly body: unknown;
  readonly bodyBytes: number;
  /** The whole history, oldest first. */
  readonly contents: readonly RequestContent[];
  /** The literal texts of the last user turn's text parts, in order. */
  readonly userText: readonly string[];
  readonly systemText: string;
  /** Names of the functions that the model was offered. */
  readonly functionNames: readonly string[];
  /** Whether `{"googleSearch": {}}` was among the tools. */
  readonly hasGoogleSearch: boolean;
  /** Whether `{"urlContext": {}}` was among the tools. */
  readonly hasUrlContext: boolean;
  /** The addresses in the last user turn that the model may read; empty without `urlContext`. */
  readonly pageUrls: readonly string[];
  /** Lower case, in order of arrival. */
  readonly headerNames: readonly string[];
  /** The first of: `x-goog-api-key`, the token of a project in `Authorization`, `key` in the query. */
  readonly apiKey: string | null;
  /** Whether the client left before its answer was complete. Live: turns true when it happens. */
  readonly aborted: boolean;
  /** Resolves once `aborted` is true; stays pending for a request that gets its answer. */
  whenAborted(): Promise<void>;
  /** Whether the answer is complete or the connection closed. Live. */
  readonly isOver: boolean;
  /** Resolves once `isOver` is true. */
  whenOver(): Promise<void>;
};
