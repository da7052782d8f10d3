const replacement = '[redacted]';

/** Below this length a value is too common a word to be searched for. */
const shortestSecret = 6;

/** Shapes of secrets that are worth hiding wherever they come from. */
const shapes: readonly RegExp[] = [
  /AIza[0-9A-Za-z_-]{20,}/g,
  /\bya29\.[0-9A-Za-z_-]{20,}/g,
  /\bgh[opsur]_[0-9A-Za-z]{20,}/g,
  /\bgithub_pat_[0-9A-Za-z_]{20,}/g,
  /\bsk-[0-9A-Za-z_-]{20,}/g,
  /\beyJ[0-9A-Za-z_-]{10,}\.[0-9A-Za-z_-]{10,}(?:\.[0-9A-Za-z_-]*)?/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /(?<=[a-z][a-z0-9+.-]*:\/\/)[^\s/@:]+:[^\s/@]+(?=@)/gi,
];

/**
 * Makes a function that takes secrets out of a text: the given values, plain, base64, URL-escaped and JSON-escaped, and
 * whatever has the shape of a well-known kind of key. Give it a text whole: half a key at a cut is not recognised.
 */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const forms = [...new Set(secrets.filter((secret) => secret.length >= shortestSecret).flatMap(formsOf))].sort(
    (a, b) => b.length - a.length,
  );
  return (text) => {
    const withoutValues = forms.reduce((rest, form) => rest.replaceAll(form, replacement), text);
    return shapes.reduce((rest, shape) => rest.replace(shape, replacement), withoutValues);
  };
}

function formsOf(secret: string): readonly string[] {
  return [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    JSON.stringify(JSON.stringify(secret).slice(1, -1)).slice(1, -1),
    ...base64Forms(secret),
  ];
}

/** Base64 depends on where in a longer text a value begins, so there are three forms, each without the uncertain characters at its ends. */
function base64Forms(secret: string): readonly string[] {
  return [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.from(`${'\0'.repeat(offset)}${secret}`, 'utf8')
      .toString('base64')
      .replace(/=+$/, '');
    const sure = encoded.slice(offset === 0 ? 0 : offset + 1, -2);
    return sure.length >= shortestSecret ? [sure, sure.replaceAll('+', '-').replaceAll('/', '_')] : [];
  });
}
