/**
 * Another MCP server, as clients write it in their settings. Texts may refer to variables (`$HOME`), and values of `env` and `headers` to secrets
 * (`keychain:name`, `file:~/token`) as well; `\$` is a dollar sign. docs/upstreams.md says what each property does.
 */
export type McpServer = (
  | {
      /** A program of this machine, which is started and speaks by its standard streams. */
      readonly command: string;
      readonly args?: readonly string[];
      readonly type?: 'stdio';
      /** Besides what every program needs it sees these variables alone. */
      readonly env?: Readonly<Record<string, string>>;
      /** The working directory of `createGemini` if missing. */
      readonly cwd?: string;
    }
  | {
      /** The address of a server over HTTP. */
      readonly url: string;
      readonly type?: 'http' | 'streamable-http' | 'sse';
      readonly headers?: Readonly<Record<string, string>>;
      /** How it is logged in to if `headers` have no `Authorization`: with Google's credentials of this machine, or not at all. */
      readonly authProviderType?: 'dynamic_discovery' | 'google_credentials' | 'service_account_impersonation';
      /** What `google_credentials` ask for. */
      readonly oauth?: { readonly scopes: readonly string[] };
      readonly targetAudience?: string;
      readonly targetServiceAccount?: string;
    }
) & {
  /** Of a call, in milliseconds; 600,000 if missing. */
  readonly timeout?: number;
  /** Whether `work` that may change something calls its tools without asking the approver; false if missing. */
  readonly trust?: boolean;
  /** The offered tools. Default: all. */
  readonly includeTools?: readonly string[];
  readonly excludeTools?: readonly string[];
  readonly description?: string;
  readonly enabled?: boolean;
  /** Whether all owners share one connection; false if missing. */
  readonly shared?: boolean;
  /** Whether a tool that changes between calls is withheld; `on` if missing. */
  readonly pin?: 'on' | 'off';
};
