import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Responses that wait for their turn, because their requests came before the answers to earlier ones on the same connection.
 * When a connection closes, Node tells that to the response whose turn it is alone: what runs for the others would go on, and
 * count, for ever. Here they are told. Without this, 20 requests sent at once on a connection that is then cut stay in the counts of their
 * principal (unheard-responses.test.ts).
 */
export class UnheardResponses {
  readonly #waiting = new WeakMap<Socket, Set<ServerResponse>>();

  /** To be told of each response before anything is done for it. */
  watch(socket: Socket, outgoing: ServerResponse): void {
    if (outgoing.socket === null) {
      const waiting = this.#waitingOn(socket).add(outgoing);
      outgoing.once('close', () => waiting.delete(outgoing));
    }
  }

  #waitingOn(socket: Socket): Set<ServerResponse> {
    const known = this.#waiting.get(socket);
    if (known !== undefined) {
      return known;
    }
    const waiting = new Set<ServerResponse>();
    this.#waiting.set(socket, waiting);
    // One listener for all of them: a thousand may wait.
    socket.once('close', () => waiting.forEach(tell));
    return waiting;
  }
}

function tell(outgoing: ServerResponse): void {
  if (outgoing.socket === null && !outgoing.writableFinished) {
    outgoing.destroy();
    outgoing.emit('close');
  }
}
