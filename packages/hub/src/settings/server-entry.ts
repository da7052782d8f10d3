import type { TemplatePart } from './value-template.ts';

export type Template = readonly TemplatePart[];

export const authProviderTypes = ['dynamic_discovery', 'google_credentials', 'service_account_impersonation'] as const;

export type OAuthEntry = {
  readonly isEnabled: boolean;
  readonly clientId: Template | null;
  readonly clientSecret: Template | null;
  readonly authorizationUrl: string | null;
  readonly tokenUrl: string | null;
  readonly issuer: string | null;
  readonly registrationUrl: string | null;
  readonly scopes: readonly string[];
  readonly redirectUri: string | null;
  readonly tokenParamName: string | null;
  readonly audiences: readonly string[];
};

/** How a server is reached, with references not yet put in. */
export type TransportEntry =
  | {
      readonly type: 'stdio';
      readonly command: Template;
      readonly arguments: readonly Template[];
      readonly environment: ReadonlyMap<string, Template>;
      readonly workingDirectory: Template | null;
    }
  | {
      readonly type: 'http' | 'sse' | 'either';
      readonly url: Template;
      readonly headers: ReadonlyMap<string, Template>;
    };

/** A server as the settings of a user have it. */
export type ServerEntry = {
  readonly name: string;
  readonly transport: TransportEntry;
  /** Null for the usual one. */
  readonly timeoutMs: number | null;
  /** Skips the confirmation of calls, for this digest alone. */
  readonly isTrusted: boolean;
  /** Null for all tools. */
  readonly includeTools: readonly string[] | null;
  readonly excludeTools: readonly string[];
  readonly description: string | null;
  readonly oauth: OAuthEntry | null;
  readonly authProviderType: (typeof authProviderTypes)[number];
  readonly targetAudience: string | null;
  readonly targetServiceAccount: string | null;
  readonly isEnabled: boolean;
  /** One process and one login for all owners, by the operator's word. */
  readonly isShared: boolean;
  /** Whether its tools are held to what was approved. */
  readonly pin: 'on' | 'off';
  /** SHA-256 of all that says what the server is and with whose rights it is used: consent and pins hold for it alone. */
  readonly digest: string;
};

/** Whether the user has left a tool in: an entry `name(` counts as its name, and what is excluded stays out. */
export function offersTool({ includeTools, excludeTools }: ServerEntry, tool: string): boolean {
  const names = (entry: string) => entry === tool || entry.startsWith(`${tool}(`);
  return !excludeTools.some(names) && (includeTools === null || includeTools.some(names));
}
