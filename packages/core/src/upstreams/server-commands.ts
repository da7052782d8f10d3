/** How a shell starts this server if nothing else is known. */
export const usualProgram = 'gemini-mcp-server';

/** What a user types to log in to a server. */
export function loginCommand(server: string, program: string = usualProgram): string {
  return `${program} mcp login ${wordOf(server)}`;
}

/** What a user types to look at the tools of a server that are withheld, and approve them. */
export function approveCommand(server: string, program: string = usualProgram): string {
  return `${program} mcp approve ${wordOf(server)}`;
}

/** As a shell takes it for one word. */
export function wordOf(name: string): string {
  return /^[\w./:@-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
}
