/** What a token may allow. A call that uses files needs `gemini:files` in addition to the scope of its tool. */
export type Scope =
  | 'gemini:query'
  | 'gemini:chat'
  | 'gemini:search'
  | 'gemini:files'
  | 'gemini:agent'
  | 'gemini:tools'
  | 'gemini:servers';

export const scopes: readonly Scope[] = [
  'gemini:query',
  'gemini:chat',
  'gemini:search',
  'gemini:files',
  'gemini:agent',
  'gemini:tools',
  'gemini:servers',
];
