import type { LastingApproval } from '../ports/approval-store.ts';
import type { CommandRisk } from '../ports/workspace/step-result.ts';
import type { CommandPrefix } from './asked-prefixes.ts';

/** What an answer may cover. */
export type AskedPart = AskedCommand | AskedRisk | AskedTool | AskedServer;

/** A tool of the server with this digest. */
type AskedTool = {
  readonly type: 'tool';
  readonly server: string;
  readonly tool: string;
  readonly digest: string;
};

/** All tools of the server with this digest. */
export type AskedServer = { readonly type: 'server'; readonly server: string; readonly digest: string };

/** A risk of every command of the run. */
type AskedRisk = { readonly type: 'risk'; readonly risk: CommandRisk };

/** A part of a command that needs approval. */
type AskedCommand = {
  readonly type: 'command';
  /** As in `lastingPrefix`. */
  readonly prefix: CommandPrefix;
  /** The absolute directory in which it runs, as written. */
  readonly directory: string;
  /** Whether that is the working directory, whose real path is known. */
  readonly isInWorkingDirectory: boolean;
  readonly network: boolean;
};

/**
 * Whether a lasting approval covers a part. For a tool, the approval must be for this very tool and server configuration. For a command, its words
 * must be exactly those that a lasting answer would cover: a record made by hand, such as for `node` alone, covers nothing.
 */
export function isCovered(part: AskedPart, approval: LastingApproval): boolean {
  const { allows } = approval;
  switch (part.type) {
    case 'server':
    case 'risk':
      return false;
    case 'tool':
      return (
        allows.type === 'tool' &&
        approval.directory === null &&
        allows.server === part.server &&
        allows.tool === part.tool &&
        allows.digest === part.digest
      );
    case 'command':
      return coversCommand(part, approval);
  }
}

function coversCommand(part: AskedCommand, { allows, directory: allowedIn }: LastingApproval): boolean {
  const { prefix, directory, isInWorkingDirectory, network } = part;
  return (
    allows.type === 'command' &&
    isInWorkingDirectory &&
    (allowedIn === null || allowedIn === directory) &&
    (allows.network || !network) &&
    allows.prefix.length === prefix.length &&
    allows.prefix.every((word, index) => word === prefix[index])
  );
}
