/**
 * Whether a text is a signed JWT in the one form that RFC 7515 has for it: three parts in base64url, without padding, without
 * other characters, and without bits that stand for nothing. Decoders accept more, so that one token would have many forms.
 */
export function isCompactJwt(text: string): boolean {
  const parts = text.split('.');
  return parts.length === 3 && parts.every((part) => part !== '' && isBase64Url(part));
}

function isBase64Url(part: string): boolean {
  return Buffer.from(part, 'base64url').toString('base64url') === part;
}
