import { createHash } from 'node:crypto';

/**
 * The name of the directory that holds an owner's records: a hash, because an owner's name may be any text. Of JSON, because
 * UTF-8 has the same bytes for all lone surrogates.
 */
export function ownerDirectoryName(owner: string): string {
  return createHash('sha256').update(JSON.stringify(owner)).digest('hex').slice(0, 32);
}

export function isOwnerDirectoryName(name: string): boolean {
  return /^[0-9a-f]{32}$/.test(name);
}
