import type { ApprovalToKeep } from '../ports/approval-store.ts';
import type { CommandPrefix } from './asked-prefixes.ts';
import { formatProgram, formatWord } from './format-word.ts';

/** The commands that begin with these words, for a reader. */
export function formatPrefix([program, ...others]: CommandPrefix): string {
  return [formatProgram(program), ...others.map(formatWord), '…'].join(' ');
}

/** What a lasting approval allows, as a text for the user that completes "allow always:". */
export function describeLasting({ allows, directory }: Pick<ApprovalToKeep, 'allows' | 'directory'>): string {
  const where = directory === null ? 'in every directory' : `in ${formatWord(directory)}`;
  if (allows.type === 'tool') {
    const tool = `the tool ${formatWord(allows.tool)} of ${formatWord(allows.server)}`;
    return directory === null ? tool : `${tool} ${where}`;
  }
  return `${formatPrefix(allows.prefix)} ${where}, ${allows.network ? 'with' : 'without'} the network`;
}
