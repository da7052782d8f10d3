/** Suggests paths that the server may read, in the form in which the prefix begins; directories end with `/`. */
export type CompletePath = (prefix: string, signal: AbortSignal) => Promise<readonly string[]>;
