import type { FakeClock } from '@gemini-mcp/core/testing';
import { type ApproverHarness, Counter, describeApproverContract, type UserReply } from '@gemini-mcp/port-contracts';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import * as z from 'zod';
import { ElicitingApprover } from './eliciting-approver.ts';
import type { Ask } from './question.ts';
import { createAskingSurface } from './testing/asking-surface.ts';
import { type WayToAsk, waysToAsk } from './testing/ways-to-ask.ts';

const elicited = z.looseObject({ message: z.string() });

/** The user in front of a real client of MCP. */
class User {
  replyTo: (text: string) => UserReply = () => ({ type: 'waits' });
  readonly shown: string[] = [];
  readonly shownCount = new Counter();
  readonly takenBackCount = new Counter();
  readonly #waiting: ((answer: string) => void)[] = [];

  chooseNow(answer: string): void {
    this.#waiting.shift()?.(answer);
  }

  /** A person takes a while. */
  readonly #clock: FakeClock;

  constructor(clock: FakeClock) {
    this.#clock = clock;
  }

  async answer(params: unknown, signal: AbortSignal): Promise<Record<string, unknown>> {
    const { message } = elicited.parse(params);
    this.shown.push(message);
    this.shownCount.add();
    const reply = this.replyTo(message);
    switch (reply.type) {
      case 'chooses':
        return accept(reply.answer);
      case 'agrees':
        return { action: 'accept', content: {} };
      case 'dismisses':
        await this.#clock.advance(50);
        return { action: 'cancel' };
      case 'waits':
        signal.addEventListener('abort', () => this.takenBackCount.add(), { once: true });
        return new Promise((resolve) => this.#waiting.push((answer) => resolve(accept(answer))));
      default:
        throw new Error('the window is gone');
    }
  }
}

function accept(choice: string): Record<string, unknown> {
  return { action: 'accept', content: { choice } };
}

type Connected = { readonly ask: Ask; readonly client: Client; readonly endCall: () => Promise<void> };

/** Resolves to how a call asks that goes on until `endCall`. */
async function openCall(way: WayToAsk, user: User, clock: FakeClock): Promise<Connected> {
  const canBeAsked = user.replyTo('').type !== 'cannot-be-asked';
  const client = new Client({ name: 'test', version: '1' }, { capabilities: canBeAsked ? { elicitation: {} } : {} });
  client.fallbackRequestHandler = ({ params }, { signal }) => user.answer(params, signal);
  let endTool = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    endTool = resolve;
  });
  const opened = new Promise<Connected>((resolve, reject) => {
    const { surface } = createAskingSurface(async (ask) => {
      resolve({ ask, client, endCall });
      await ended;
      return { type: 'declined' };
    });
    let call: Promise<unknown> = Promise.resolve();
    const endCall = async (): Promise<void> => {
      endTool();
      await call;
      await client.close();
    };
    way
      .connect(client, surface, clock)
      .then(() => {
        call = client.callTool({ name: 'ask' });
        return call;
      })
      .catch(reject);
  });
  return opened;
}

async function createHarness(way: WayToAsk, clock: FakeClock): Promise<ApproverHarness> {
  const user = new User(clock);
  let connected: Promise<Connected> | null = null;
  return {
    approver: {
      ask: async (question, signal) => {
        // What the client can do is told when it connects.
        connected ??= openCall(way, user, clock);
        const { ask } = await connected;
        return new ElicitingApprover({ ask, clock }).ask(question, signal);
      },
    },
    reply: (replyTo) => {
      user.replyTo = replyTo;
    },
    chooseNow: (answer) => user.chooseNow(answer),
    shown: () => user.shown,
    whenShown: (count) => user.shownCount.when(count),
    whenTakenBack: (count) => user.takenBackCount.when(count),
    dispose: async () => (await connected)?.endCall(),
  };
}

for (const way of waysToAsk) {
  describeApproverContract({
    name: `ElicitingApprover ${way.name}`,
    create: ({ clock }) => createHarness(way, clock),
  });
}
