import type { LastingApproval } from '../ports/approver.ts';
import type { CommandPrefix } from './asked-prefixes.ts';

/** A part of a command about which a user would be asked. */
export type AskedPart = {
  /** As `lastingPrefix` has it. */
  readonly prefix: CommandPrefix;
  /** In which it runs, absolute, as it is written. */
  readonly directory: string;
  /** Whether that is the working directory, whose real path is known. */
  readonly isInWorkingDirectory: boolean;
  readonly network: boolean;
};

/**
 * Whether a lasting approval covers a part. Its words have to be the very ones that a lasting answer to this command would cover: a
 * record that was made by hand, such as for `node` alone, covers nothing.
 */
export function isCovered(part: AskedPart, approval: LastingApproval): boolean {
  const { prefix, directory, isInWorkingDirectory, network } = part;
  const { allows } = approval;
  return (
    allows.type === 'command' &&
    isInWorkingDirectory &&
    (approval.directory === null || approval.directory === directory) &&
    (allows.network || !network) &&
    allows.prefix.length === prefix.length &&
    allows.prefix.every((word, index) => word === prefix[index])
  );
}
