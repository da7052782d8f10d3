import type { AddressInfo } from 'node:net';

export type HttpQuestion = {
  readonly address: AddressInfo | string | null;
  /** Whether to close the request after the first piece of text. */
  readonly leaves: boolean;
};

/** Asks a server on this machine at `/ask`, and prints what it sends. */
export async function askOverHttp({ address, leaves }: HttpQuestion): Promise<void> {
  if (address === null || typeof address === 'string') {
    throw new Error('The server listens on no port.');
  }
  const response = await fetch(`http://127.0.0.1:${address.port}/ask`, {
    method: 'POST',
    headers: { 'Content-Type': 'text/plain' },
    body: 'What does this do?',
  });
  let received = '';
  for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    received += text;
    if (leaves && received.includes('event: text')) {
      break;
    }
  }
  console.log(received);
}
