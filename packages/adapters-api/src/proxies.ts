/** Through which proxies servers are reached. */
export type Proxies = {
  /** For `http:` and for `https:` addresses, as `HTTP_PROXY` and `HTTPS_PROXY` have them; null for none. */
  readonly http: string | null;
  readonly https: string | null;
  /** Hosts that are reached directly, as `NO_PROXY` has them; null for none. */
  readonly except: string | null;
};
