import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { TestCertificate } from '../test-certificates.ts';

/** A proxy between a program and a server on a Unix socket, on a free port of this machine, and fails as networks do. */
export class FaultyProxy {
  readonly #target: string;
  readonly #certificate: TestCertificate | null;
  readonly #sockets = new Set<Socket>();
  #server: Server | null = null;
  #port = 0;
  #isHolding = false;
  #losesReply = false;

  /** With a certificate, it speaks TLS to programs. */
  constructor(target: string, certificate: TestCertificate | null = null) {
    this.#target = target;
    this.#certificate = certificate;
  }

  get port(): number {
    return this.#port;
  }

  /** Accepts connections, again on the port that it had. */
  async open(): Promise<void> {
    const pass = (socket: Socket): void => this.#pass(socket);
    const server = this.#certificate === null ? createServer(pass) : createTlsServer(this.#certificate, pass);
    this.#server = server;
    server.listen(this.#port, '127.0.0.1');
    await once(server, 'listening');
    this.#port = (server.address() as AddressInfo).port;
  }

  /** Cuts the connections and refuses new ones. */
  async close(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    this.cut();
    if (server !== null) {
      server.close();
      await once(server, 'close');
    }
  }

  /** Cuts the present connections. */
  cut(): void {
    for (const socket of this.#sockets) {
      socket.destroy();
    }
  }

  /** Cuts a connection at the next reply, which the program does not get. */
  loseReply(): void {
    this.#losesReply = true;
  }

  /** Keeps what programs send until `release`. They stay connected. */
  hold(): void {
    this.#isHolding = true;
    for (const socket of this.#sockets) {
      socket.pause();
    }
  }

  /** Sends on all that was held, also of programs that have left. */
  release(): void {
    this.#isHolding = false;
    for (const socket of this.#sockets) {
      socket.resume();
    }
  }

  #pass(socket: Socket): void {
    const onward = connect(this.#target);
    this.#sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => this.#sockets.delete(socket));
    onward.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    socket.on('data', (data) => onward.write(data)).on('end', () => onward.end());
    onward.on('data', (data) => {
      if (this.#losesReply) {
        this.#losesReply = false;
        socket.destroy();
      }
      return socket.destroyed || socket.write(data);
    });
    if (this.#isHolding) {
      socket.pause();
    }
  }
}
