import { createHash } from 'node:crypto';

/**
 * The name of the directory for an owner's records: a hash, because an owner's name may be any text. The hash covers JSON because UTF-8
 * encodes all lone surrogates alike.
 */
export function ownerDirectoryName(owner: string): string {
  return createHash('sha256').update(JSON.stringify(owner)).digest('hex').slice(0, 32);
}

export function isOwnerDirectoryName(name: string): boolean {
  return /^[0-9a-f]{32}$/.test(name);
}
