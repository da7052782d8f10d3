export type ParsedKey =
  | { readonly ok: true; readonly key: string }
  /** A sentence for a user, without any part of the text. */
  | { readonly ok: false; readonly problem: string };

const maxCharacters = 4_096;

/** An assignment of a shell or of a `.env` file. */
const assignment = /^(?:export\s+|set\s+|\$env:)?[A-Z][A-Z0-9_]*\s*=\s*/;

/** A key as a user pastes it: with blanks and line ends around it, in quotes, or as `GEMINI_API_KEY=…`. */
export function parseApiKey(pasted: string): ParsedKey {
  const key = withoutQuotes(pasted.trim().replace(assignment, '').trim());
  if (key === '') {
    return refused('No key was given.');
  }
  if (key.startsWith('{')) {
    return refused(
      'That is a JSON file, such as that of a service account, not an API key. For Vertex AI set GOOGLE_APPLICATION_CREDENTIALS and GOOGLE_CLOUD_PROJECT.',
    );
  }
  if (/^(?:\$|<|%)/.test(key)) {
    return refused('That is a placeholder for a key. Paste the key itself.');
  }
  if (key.length > maxCharacters) {
    return refused('That is longer than any API key.');
  }
  return /^[\x21-\x7e]+$/.test(key) && !/["'`]/.test(key)
    ? { ok: true, key }
    : refused('An API key has no blanks, line ends, quotes or letters beyond ASCII. Paste the key alone.');
}

function withoutQuotes(text: string): string {
  const [, , inner] = /^(["'`])(.*)\1;?$/s.exec(text) ?? [];
  return inner === undefined ? text : inner.trim();
}

function refused(problem: string): ParsedKey {
  return { ok: false, problem };
}
