/** What a token may be good for. A call that uses files needs `gemini:files` beside the scope of its tool. */
export const scopes = ['gemini:query', 'gemini:chat', 'gemini:search', 'gemini:files'] as const;

export type Scope = (typeof scopes)[number];
