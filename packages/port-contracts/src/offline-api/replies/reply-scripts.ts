import type { Reply, ReplyFunction } from './reply.ts';

/** The first reply for the first request, and so on; the last one for all that follow. */
export function inOrder(first: Reply, ...others: readonly Reply[]): ReplyFunction {
  return (_, index) => others[Math.min(index, others.length) - 1] ?? first;
}

/** A reply for each model by its exact name, and one for all other models. */
export function byModel(replies: Readonly<Record<string, Reply>>, otherwise: Reply): ReplyFunction {
  return ({ model }) => (Object.hasOwn(replies, model) ? (replies[model] ?? otherwise) : otherwise);
}
