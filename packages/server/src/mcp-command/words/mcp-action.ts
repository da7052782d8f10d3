/** In whose settings a server is written down: the user's own, or those of the project in the current directory. */
export type Scope = 'user' | 'project';

/** What a user at a terminal wants of other MCP servers. */
export type McpAction =
  | { readonly action: 'help' }
  | { readonly action: 'list' /** Null for all. */; readonly server: string | null; readonly json: boolean }
  | AddAction
  /** A null scope stands for the settings that have the server. */
  | { readonly action: 'remove' | 'enable' | 'disable'; readonly server: string; readonly scope: Scope | null }
  | ApproveAction
  | ImportAction
  | { readonly action: 'login' | 'logout'; readonly server: string };

export type AddAction = {
  readonly action: 'add';
  readonly server: string;
  readonly scope: Scope;
  /** As the settings have it. */
  readonly entry: Readonly<Record<string, unknown>>;
  /** Whether it may take the place of another with this name. */
  readonly replaces: boolean;
  /** What the user may have meant otherwise: sentences. */
  readonly remarks: readonly string[];
};

type ApproveAction = {
  readonly action: 'approve';
  readonly what:
    | { readonly type: 'project' }
    | { readonly type: 'tools'; readonly server: string; readonly tools: readonly string[] | 'all' };
  /** The digest of what the user has seen; null if it is only to be shown. */
  readonly confirmed: string | null;
};

export type ImportAction = {
  readonly action: 'import';
  /** Where settings are read: those of a client in their usual places, or a file. */
  readonly from: { readonly type: 'client' | 'file'; readonly name: string };
  readonly scope: Scope;
  readonly replaces: boolean;
  /** The digest of what the user has seen; null if it is only to be shown. */
  readonly confirmed: string | null;
};
