import type { Session, SessionTurn } from '../ports/session-store.ts';

/** A message and its answer: a conversation grows by both or not at all. */
export type SessionExchange = {
  readonly prompt: string;
  readonly askedAtMs: number;
  readonly answer: string;
  readonly answeredAtMs: number;
};

/** Changes of a message that apply to the rest of its conversation; null leaves a value unchanged. */
export type SessionChange = Pick<Session, 'model' | 'systemPrompt' | 'workingDirectory'> & {
  readonly search: boolean | null;
};

export type NewSession = Pick<Session, 'id' | 'owner'> & SessionChange;

/** A session that begins with its first exchange. */
export function beginSession(known: NewSession, exchange: SessionExchange): Session {
  const { askedAtMs, answeredAtMs } = exchange;
  const { search, ...others } = known;
  return {
    ...others,
    ...searchOf(search),
    createdAtMs: askedAtMs,
    updatedAtMs: answeredAtMs,
    turns: turnsOf(exchange),
  };
}

/** The session with the change applied and the exchange appended. */
export function extendSession(session: Session, change: SessionChange, exchange: SessionExchange): Session {
  return {
    ...changeSession(session, change),
    // Clocks of several processes differ: the time of the last use must not go back.
    updatedAtMs: Math.max(session.updatedAtMs, exchange.answeredAtMs),
    turns: [...session.turns, ...turnsOf(exchange)],
  };
}

/** The session with the change applied and its turns unchanged. */
export function changeSession(session: Session, change: SessionChange): Session {
  const { model, systemPrompt, workingDirectory } = change;
  const { search = false, ...others } = session;
  return {
    ...others,
    ...searchOf(change.search ?? search),
    model: model ?? session.model,
    systemPrompt: systemPrompt ?? session.systemPrompt,
    workingDirectory: workingDirectory ?? session.workingDirectory,
  };
}

function searchOf(search: boolean | null): Pick<Session, 'search'> {
  return search === true ? { search } : {};
}

function turnsOf({ prompt, askedAtMs, answer, answeredAtMs }: SessionExchange): readonly SessionTurn[] {
  return [
    { role: 'user', text: prompt, atMs: askedAtMs },
    { role: 'model', text: answer, atMs: answeredAtMs },
  ];
}
