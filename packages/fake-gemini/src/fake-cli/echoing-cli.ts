import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * A program in place of the CLI that answers with the canary of its own message, such as `canary-17.`, once the test allows it. Unlike a
 * script of steps it reveals a mix-up of answers.
 */
export class EchoingCli {
  readonly path: string;
  readonly #directory: string;

  private constructor(directory: string) {
    this.#directory = directory;
    this.path = join(directory, 'gemini');
  }

  static async create(directory: string): Promise<EchoingCli> {
    await mkdir(directory, { recursive: true });
    const cli = new EchoingCli(directory);
    await writeFile(cli.path, program);
    await chmod(cli.path, 0o755);
    return cli;
  }

  /** Lets the runs write their answer: the waiting ones, and all later ones. */
  async letSpeak(): Promise<void> {
    await writeFile(join(this.#directory, 'speak'), '');
  }

  /** Lets the runs end after their answer. */
  async letFinish(): Promise<void> {
    await writeFile(join(this.#directory, 'finish'), '');
  }

  /** The number of runs, and the most at one time. */
  async countRuns(): Promise<{ readonly all: number; readonly atOnce: number }> {
    const steps = (await readFile(join(this.#directory, 'runs'), 'utf8')).trim().split('\n').map(Number);
    let running = 0;
    const counts = steps.map((step) => {
      running += step;
      return running;
    });
    return { all: steps.filter((step) => step > 0).length, atOnce: Math.max(...counts) };
  }
}

const program = `#!${process.execPath}
const { appendFileSync, existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
appendFileSync(join(__dirname, 'runs'), '1\\n');
const [canary] = /canary-\\d+\\./.exec(readFileSync(0, 'utf8')) ?? ['nothing'];
const say = (event) => console.log(JSON.stringify(event));
const when = (name, act) => {
  const waiting = setInterval(() => {
    if (existsSync(join(__dirname, name))) {
      clearInterval(waiting);
      act();
    }
  }, 10);
};
say({ type: 'init', session_id: 's', model: 'gemini-2.5-pro' });
when('speak', () => {
  say({ type: 'message', role: 'assistant', content: 'answer to ' + canary, delta: true });
  when('finish', () => {
    appendFileSync(join(__dirname, 'runs'), '-1\\n');
    say({ type: 'result', status: 'success', stats: {} });
  });
});
setTimeout(() => process.exit(1), 60_000).unref();
`;
