/** Names of one model. Gemini CLI 0.61.0 turns the first into the second, or Google does. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ['gemini-3-pro-preview', 'gemini-3.1-pro-preview'],
  ['gemini-3.1-pro-preview-customtools', 'gemini-3.1-pro-preview'],
  // What accounts of Code Assist call it.
  ['gemini-3-flash', 'gemini-3.5-flash'],
]);

/** Names that stand for whichever model is the newest of its kind: whatever answers is what was asked for. */
const movingNames: ReadonlySet<string> = new Set([
  'auto',
  'auto-gemini-2.5',
  'auto-gemini-3',
  'pro',
  'flash',
  'flash-lite',
  'gemini-pro-latest',
  'gemini-flash-latest',
  'gemini-flash-lite-latest',
]);

/** Whether the model that answered, by the name that the API gave it, is the one that was asked for by this name. */
export function isSameModel(asked: string, answered: string): boolean {
  return movingNames.has(asked) || plainName(asked) === plainName(answered);
}

/** Without a path (`models/…`) and without the number of a version (`-001`), which the API adds. */
function plainName(name: string): string {
  const plain = name.slice(name.lastIndexOf('/') + 1).replace(/-\d{3}$/, '');
  return otherNames.get(plain) ?? plain;
}
