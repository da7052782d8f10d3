/** A tool as far as a search reads it. */
type SearchedTool = {
  readonly server: string;
  readonly tool: string;
  readonly title: string | null;
  readonly description: string;
};

/** Finds the tools that fit a text, best first; the first of all for an empty text. An index is kept for as long as the array is. */
export type SearchTools = <Tool extends SearchedTool>(options: {
  readonly tools: readonly Tool[];
  readonly text: string;
  readonly max: number;
}) => readonly Tool[] | Promise<readonly Tool[]>;
