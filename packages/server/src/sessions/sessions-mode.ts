/** A command of a user at a terminal for the kept conversations. */
export type SessionsMode = {
  readonly kind: 'sessions';
  /** The beginning of an owner; null for the conversations of all owners. */
  readonly owner: string | null;
  readonly json: boolean;
} & (
  | { readonly action: 'list' }
  | { readonly action: 'show' | 'export' | 'delete' /** As it was given. */; readonly id: string }
);
