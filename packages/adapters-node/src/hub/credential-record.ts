import type { ServerCredential } from '@gemini-mcp/core/internal';
import * as z from 'zod';
import type { ParsedRecord } from '../state/private-records-options.ts';
import { parseRecord } from '../state/record-format.ts';

export type StoredCredential = { readonly owner: string; readonly credential: ServerCredential };

/** Nothing secret. */
export type CredentialSummary = Readonly<Record<'owner' | 'server' | 'issuer', string>> & {
  readonly updatedAtMs: number;
};

const credentialSchema: z.ZodType<ServerCredential> = z.strictObject({
  server: z.string(),
  resource: z.string().nullable(),
  issuer: z.string(),
  tokenUrl: z.string(),
  tokenMethods: z.array(z.string()),
  revocationUrl: z.string().nullable(),
  client: z.strictObject({
    id: z.string(),
    secret: z.string().nullable(),
    method: z.string().nullable(),
    secretExpiresAtMs: z.number().nullable(),
    redirectUri: z.string(),
    scopes: z.array(z.string()),
  }),
  serial: z.string(),
  tokens: z.strictObject({
    access: z.string(),
    refresh: z.string().nullable(),
    expiresAtMs: z.number().nullable(),
    scopes: z.array(z.string()),
  }),
  refusal: z.string().nullable(),
  wantedScopes: z.array(z.string()),
  renewal: z.strictObject({ by: z.string(), sinceMs: z.number() }).nullable(),
  updatedAtMs: z.number(),
});

const storedSchema: z.ZodType<StoredCredential> = z.strictObject({ owner: z.string(), credential: credentialSchema });

const summarySchema = z.strictObject({
  owner: z.string(),
  server: z.string(),
  issuer: z.string(),
  updatedAtMs: z.number(),
});

/** A record of an owner, if `isOurs` says that it belongs where it was found. */
export function parseCredential(
  json: unknown,
  owner: string,
  isOurs: (credential: ServerCredential) => boolean,
): ParsedRecord<StoredCredential> {
  return parseRecord(storedSchema, json, (stored) => stored.owner === owner && isOurs(stored.credential));
}

export function summarizeCredential({ owner, credential }: StoredCredential): CredentialSummary {
  const { server, issuer, updatedAtMs } = credential;
  return { owner, server, issuer, updatedAtMs };
}

export function parseCredentialSummary(json: unknown, owner: string): CredentialSummary | null {
  const { data } = summarySchema.safeParse(json);
  return data?.owner === owner ? data : null;
}
