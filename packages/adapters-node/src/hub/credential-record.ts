import type { ServerCredential } from '@gemini-mcp/core/internal';
import * as z from 'zod';
import type { ParsedRecord } from '../state/private-records-options.ts';
import { parseRecord } from '../state/record-format.ts';
import { type NamedKey, openSealedText, type SealedText } from './seal-credential.ts';

/** A credential as it lies on the disk: plain, or sealed. One that was sealed has both once it is opened. */
export type StoredCredential = {
  readonly owner: string;
  readonly credential?: ServerCredential;
  readonly sealed?: SealedText;
};

/** Nothing secret. */
export type CredentialSummary = { readonly owner: string };

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

const sealedSchema: z.ZodType<SealedText> = z.strictObject({
  key: z.string(),
  nonce: z.string(),
  text: z.string(),
  tag: z.string(),
});

const storedSchema: z.ZodType<StoredCredential> = z.union([
  z.strictObject({ owner: z.string(), credential: credentialSchema }),
  z.strictObject({ owner: z.string(), sealed: sealedSchema }),
]);

export type CredentialParsing = {
  readonly owner: string;
  /** The name of its record. */
  readonly record: string;
  /** Whether a credential belongs in that record. */
  readonly isOurs: (credential: ServerCredential) => boolean;
  /** The key of a name, where it is at hand. */
  readonly keyOf: (name: string) => NamedKey | null;
};

/** A record of an owner, opened if its key is at hand, and if it belongs where it was found. */
export function parseCredential(json: unknown, parsing: CredentialParsing): ParsedRecord<StoredCredential> {
  const { owner, isOurs, keyOf } = parsing;
  const isInPlace = (stored: StoredCredential): boolean =>
    stored.owner === owner && (stored.credential === undefined || isOurs(stored.credential));
  const parsed = parseRecord(storedSchema, json, isInPlace);
  const sealed = parsed.ok ? parsed.value.sealed : undefined;
  const key = sealed === undefined ? null : keyOf(sealed.key);
  return sealed === undefined || key === null ? parsed : openCredential(sealed, key, parsing);
}

function openCredential(sealed: SealedText, key: NamedKey, parsing: CredentialParsing): ParsedRecord<StoredCredential> {
  const { owner, isOurs } = parsing;
  const text = openSealedText(sealed, key, parsing);
  if (text === null) {
    return { ok: false, reason: 'not as it was sealed, or sealed for another place' };
  }
  const { data } = credentialSchema.safeParse(JSON.parse(text));
  return data !== undefined && isOurs(data)
    ? { ok: true, value: { owner, credential: data, sealed } }
    : { ok: false, reason: 'a record of something else' };
}
