/** A part of a request that a runner has no way to honour. */
export type UnsupportedFeature =
  | 'history'
  | 'system-prompt'
  | 'tools'
  | 'directory'
  | 'media'
  | 'api-key'
  | 'sandbox'
  | 'answer-schema'
  | 'thinking'
  | 'urls'
  | 'tool-sources'
  | 'token-count'
  /** To run without a login that is known: what is missing, another way of running tells better. */
  | 'login';
