import type { ClientForm } from './client-form.ts';
import { clientForms } from './client-forms.ts';

const forms: ReadonlyMap<string, ClientForm> = new Map(
  Object.values(clientForms).flatMap((form) => form.names.map((name) => [name, form] as const)),
);

/** The client that calls itself so, or null for a name that is not known. It is the word of a stranger: good for advice alone. */
export function findClient(clientName: string | null): ClientForm | null {
  return clientName === null ? null : (forms.get(clientName.toLowerCase()) ?? null);
}
