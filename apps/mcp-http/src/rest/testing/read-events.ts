/** The data of each event of a finished stream. */
export function readEvents(stream: string): readonly { readonly type: string; readonly content: string }[] {
  return stream
    .split('\n\n')
    .filter((block) => block !== '' && !block.startsWith(':'))
    .map((block) => JSON.parse(block.replace(/^data: /, '')));
}

/** The answer as a client assembles it: the pieces after the last restart. */
export function joinPieces(events: ReturnType<typeof readEvents>): string {
  const restart = events.findLastIndex(({ type }) => type === 'restart');
  return events
    .slice(restart + 1)
    .map(({ type, content }) => (type === 'stdout' ? content : ''))
    .join('');
}
