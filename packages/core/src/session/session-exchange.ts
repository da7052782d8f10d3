import type { Session, SessionTurn } from '../ports/session-store.ts';

/** A message and its answer: a conversation grows by both or not at all. */
export type SessionExchange = {
  readonly prompt: string;
  readonly askedAtMs: number;
  readonly answer: string;
  readonly answeredAtMs: number;
};

/** What a message may change for the rest of its conversation; null leaves a thing as it is. */
export type SessionChange = Pick<Session, 'model' | 'systemPrompt' | 'workingDirectory'>;

export type NewSession = Pick<Session, 'id' | 'owner'> & SessionChange;

/** A session that begins with its first exchange. */
export function beginSession(known: NewSession, exchange: SessionExchange): Session {
  const { askedAtMs, answeredAtMs } = exchange;
  return { ...known, createdAtMs: askedAtMs, updatedAtMs: answeredAtMs, turns: turnsOf(exchange) };
}

/** The session with the change made and the exchange after all that was said in it. */
export function extendSession(session: Session, change: SessionChange, exchange: SessionExchange): Session {
  return {
    ...changeSession(session, change),
    // Clocks of several processes differ: what was used later must not become older.
    updatedAtMs: Math.max(session.updatedAtMs, exchange.answeredAtMs),
    turns: [...session.turns, ...turnsOf(exchange)],
  };
}

/** The session with the change made; what was said in it stays as it is. */
export function changeSession(session: Session, { model, systemPrompt, workingDirectory }: SessionChange): Session {
  return {
    ...session,
    model: model ?? session.model,
    systemPrompt: systemPrompt ?? session.systemPrompt,
    workingDirectory: workingDirectory ?? session.workingDirectory,
  };
}

function turnsOf({ prompt, askedAtMs, answer, answeredAtMs }: SessionExchange): readonly SessionTurn[] {
  return [
    { role: 'user', text: prompt, atMs: askedAtMs },
    { role: 'model', text: answer, atMs: answeredAtMs },
  ];
}
