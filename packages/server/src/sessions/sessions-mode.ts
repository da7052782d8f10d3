/** What somebody at a terminal wants of the conversations that are kept. */
export type SessionsMode = {
  readonly kind: 'sessions';
  /** The beginning of the owner whose conversations are meant; null for those of all. */
  readonly owner: string | null;
  readonly json: boolean;
} & (
  | { readonly action: 'list' }
  | { readonly action: 'show' | 'export' | 'delete' /** As it was given. */; readonly id: string }
);
