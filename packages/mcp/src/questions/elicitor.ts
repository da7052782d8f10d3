import type { ElicitRequestFormParams } from '@modelcontextprotocol/sdk/types.js';
import type { CannotAskReason } from './question.ts';

/** Puts forms to the client of one request, by MCP's elicitation. */
export type Elicitor = {
  /** Why nothing can be asked; null where it can. */
  readonly cannotAsk: CannotAskReason | null;
  /** Resolves to what the client answers, unchecked. An abort takes the question back at the client, and rejects. */
  readonly elicit: (params: ElicitRequestFormParams, signal: AbortSignal) => Promise<unknown>;
};
