import type { ToolPin } from './tool-pin.ts';

/**
 * Keeps how the tools of servers were when they were approved. An implementer owes that pins of one key never come back for another, and that
 * none is lost when two write at once.
 */
export interface KeptPins {
  /**
   * `key` names the configuration of a server and its owner. Null where the server was never seen. A record that cannot be read is an empty
   * one, and not null: then every tool is withheld until it is approved. So is one that cannot be reached. An abort never makes it null.
   */
  load(key: string, signal: AbortSignal): Promise<readonly ToolPin[] | null>;
  /**
   * Adds pins, each in place of the one for the same tool. Resolves to null when they are kept, also
   * where there are none: the server was seen. Otherwise to why not, for a user. Never rejects.
   */
  add(key: string, pins: readonly ToolPin[], signal: AbortSignal): Promise<string | null>;
}
