import type { ConnectionFailure } from '@gemini-mcp/core/internal';
import type { OpenedTransport } from './open-stdio.ts';
import type { SendFault } from './server-connection.ts';

/** The same without secrets in what it says of failures: these are read by owners whose secrets they are not. */
export function hideSecrets(opened: OpenedTransport, redact: (text: string) => string): OpenedTransport {
  const hide = (failure: ConnectionFailure): ConnectionFailure => ({ ...failure, detail: redact(failure.detail) });
  return {
    ...opened,
    whyOver: async () => hide(await opened.whyOver()),
    strayWords: () => {
      const words = opened.strayWords();
      return words === null ? null : redact(words);
    },
    readFault: (error): SendFault => {
      const fault = opened.readFault(error);
      switch (fault.type) {
        case 'error':
          return { ...fault, said: redact(fault.said) };
        case 'lost':
          return { ...fault, failure: hide(fault.failure) };
        case 'login-wanted':
          return fault;
      }
    },
  };
}
