import type { KeptPins, ToolPin } from '@gemini-mcp/core/internal';

/** Keeps pins for as long as this process lives. */
export class InMemoryKeptPins implements KeptPins {
  readonly #records = new Map<string, readonly ToolPin[]>();

  async load(key: string): Promise<readonly ToolPin[] | null> {
    return this.#records.get(key) ?? null;
  }

  async add(key: string, pins: readonly ToolPin[]): Promise<null> {
    const before = this.#records.get(key) ?? [];
    this.#records.set(key, [...new Map([...before, ...pins].map((pin) => [pin.tool, pin])).values()]);
    return null;
  }
}
