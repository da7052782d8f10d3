/** Which of the other servers a client is offered, and how. */
export type ServerChoice = {
  /** Names of servers, and of tools as they are offered. */
  readonly names: readonly string[] | 'all';
  /** Each tool in the list, two tools that find and call the others, or whichever is smaller. */
  readonly form: 'auto' | 'listed' | 'searched';
  /** Whether only those tools are offered of which a server that the user trusts says that they change nothing. */
  readonly readOnly: boolean;
};

/** Whether anything is. */
export function choosesAny({ names }: ServerChoice): boolean {
  return names === 'all' || names.length > 0;
}

/** Whether a server is chosen, whole or by one of its tools. */
export function choosesServer({ names }: ServerChoice, server: string): boolean {
  return names === 'all' || names.some((name) => name === server || name.startsWith(`${server}__`));
}

/** Whether a tool is chosen. `name` is the one under which it is offered. */
export function choosesTool(
  { names }: ServerChoice,
  { server, name }: { readonly server: string; readonly name: string },
): boolean {
  return names === 'all' || names.includes(server) || names.includes(name);
}

/** Whether prompts and resources of a server are chosen: with the whole server. */
export function choosesWhole({ names }: ServerChoice, server: string): boolean {
  return names === 'all' || names.includes(server);
}
