import { canonicalJson } from '../approvals/canonical-json.ts';
import type { ApprovalStore, ApprovalToKeep, LastingApproval } from '../ports/approver.ts';

/** Keeps approvals as long as it lives. */
export class InMemoryApprovalStore implements ApprovalStore {
  readonly #approvals = new Map<string, LastingApproval>();

  async list(): Promise<readonly LastingApproval[]> {
    return [...this.#approvals.values()];
  }

  async add({ allows, directory, allowedAtMs }: ApprovalToKeep): Promise<string | null> {
    const id = canonicalJson({ allows, directory });
    if (!this.#approvals.has(id)) {
      this.#approvals.set(id, { id, allows, directory, allowedAtMs });
    }
    return null;
  }

  async revoke(id: string): Promise<boolean> {
    return this.#approvals.delete(id);
  }
}
