import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';

/** Debian's package of the name. `.ci/prepare` installs it; a test that needs it is skipped on a machine without it. */
export const hasRedisServer: boolean = spawnSync('redis-server', ['--version']).status === 0;

/** A server without persistence, on a socket of its own in a temporary directory. */
export class RedisServer {
  /** The Unix socket. */
  readonly path: string;
  readonly #directory: string = mkdtempSync(join(tmpdir(), 'redis-'));
  #process: ReturnType<typeof spawn> | null = null;

  constructor() {
    this.path = join(this.#directory, 'socket');
  }

  /** Starts it, without data. Resolves once it accepts connections. */
  async start(): Promise<void> {
    const child = spawn(this.path, this.#directory);
    this.#process = child;
    let said = '';
    await new Promise<void>((resolve, reject) => {
      child.stdout.on('data', (chunk) => {
        said += String(chunk);
        if (/ready to accept connections/i.test(said)) {
          resolve();
        }
      });
      child.once('exit', () => reject(new Error(`redis-server ended: ${said}`)));
    });
  }

  /** Ends it like a crash. Resolves once it is gone. */
  async kill(): Promise<void> {
    const child = this.#process;
    this.#process = null;
    if (child !== null && child.exitCode === null && child.kill('SIGKILL')) {
      await once(child, 'exit');
    }
  }

  /** Ends it, and removes its directory. */
  async dispose(): Promise<void> {
    await this.kill();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

function spawn(socket: string, directory: string) {
  const options = { port: '0', unixsocket: socket, dir: directory, save: '', appendonly: 'no', daemonize: 'no' };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  return execa('redis-server', args, { reject: false, stdin: 'ignore', stderr: 'ignore', buffer: false });
}
