/** Alternative names of a model. Gemini CLI 0.61.0 or Google turns the first into the second. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ['gemini-3-pro-preview', 'gemini-3.1-pro-preview'],
  ['gemini-3.1-pro-preview-customtools', 'gemini-3.1-pro-preview'],
  // The name in Code Assist accounts.
  ['gemini-3-flash', 'gemini-3.5-flash'],
]);

/** Names that stand for the newest model of a kind: any answering model matches them. */
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

/** Whether the model that answered, by the API's name for it, is the requested one. */
export function isSameModel(asked: string, answered: string): boolean {
  return movingNames.has(asked) || plainName(asked) === plainName(answered);
}

/** Without a path (`models/…`) and without a version number (`-001`), which the API adds. */
function plainName(name: string): string {
  const plain = name.slice(name.lastIndexOf('/') + 1).replace(/-\d{3}$/, '');
  return otherNames.get(plain) ?? plain;
}
