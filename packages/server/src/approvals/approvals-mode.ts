/** A command of a user at a terminal for what they have allowed for good. */
export type ApprovalsMode = { readonly kind: 'approvals' } & (
  | { readonly action: 'list'; readonly json: boolean }
  | { readonly action: 'revoke' /** As it was given. */; readonly id: string }
  | {
      readonly action: 'allow';
      /** The first words of commands, as they were given. */
      readonly words: readonly [string, ...string[]];
      readonly network: boolean;
    }
  | {
      readonly action: 'allow-tool';
      /** As the settings name it. */
      readonly server: string;
      /** As the server names it. */
      readonly tool: string;
    }
);
