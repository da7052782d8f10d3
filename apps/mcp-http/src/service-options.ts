import type { ApiAccess, Configuration, Log } from '@gemini-mcp/server';
import type { Access } from './access/open-access.ts';
import type { HttpConfiguration } from './settings/http-configuration.ts';

/** What a server is made of. */
export type ServiceOptions = {
  readonly configuration: Configuration;
  readonly http: HttpConfiguration;
  /** Of this process, for the CLI. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** How the Gemini API is asked without the CLI; null where it is not. */
  readonly api: ApiAccess | null;
  readonly access: Access;
  readonly log: Log;
};
