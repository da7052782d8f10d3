import type { AcpFault } from '../protocol/acp-connection.ts';

/** What a process did wrong, in our words. */
export function describeFault(fault: AcpFault): string {
  switch (fault.kind) {
    case 'asked':
      return `asked for ${fault.method.slice(0, 100)}, which nobody allows`;
    case 'garbage':
      return 'wrote what is no message of the protocol';
    case 'overlong':
      return 'wrote a message that is too long';
  }
}
