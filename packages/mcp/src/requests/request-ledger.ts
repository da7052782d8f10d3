import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import { LedgerPage, type LedgerPageOptions } from './ledger-page.ts';

/**
 * Every request that runs in one endpoint, or on one connection over stdio: whose it is, how it is cancelled, where its progress
 * goes, and when it has ended. Each MCP server has a page in it.
 */
export class RequestLedger {
  /** Those with requests: a page that is quiet costs the ledger nothing. */
  readonly #pages = new Set<LedgerPage>();

  openPage(options: Omit<LedgerPageOptions, 'ledger'>): LedgerPage {
    return new LedgerPage({ ...options, ledger: this });
  }

  /** For the pages themselves, when their first request comes and when the last one has ended. */
  note(page: LedgerPage, isQuiet: boolean): void {
    if (isQuiet) {
      this.#pages.delete(page);
    } else {
      this.#pages.add(page);
    }
  }

  /** Cancels the requests of this id of this client, on whichever of its pages they are. */
  cancel(client: string, id: RequestId): void {
    for (const page of this.#pages) {
      if (page.client === client) {
        page.cancelOwn(id);
      }
    }
  }

  /** Resolves when every handler that was running has come to its end, cancelled ones included. Never rejects. */
  async callsEnded(): Promise<void> {
    await Promise.all([...this.#pages].map((page) => page.callsEnded()));
  }

  /** Aborts what runs, and tells the clients that wait. */
  close(): void {
    for (const page of [...this.#pages]) {
      page.close();
    }
  }
}
