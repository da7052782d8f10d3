/** The shell command of this server if the actual one is unknown. */
export const usualProgram = 'gemini-mcp-server';

/** The command that logs a user in to a server. */
export function loginCommand(server: string, program: string = usualProgram): string {
  return `${program} mcp login ${wordOf(server)}`;
}

/** The command that shows a server's withheld tools and approves them. */
export function approveCommand(server: string, program: string = usualProgram): string {
  return `${program} mcp approve ${wordOf(server)}`;
}

/** Quoted as one word for a shell. */
export function wordOf(name: string): string {
  return /^[\w./:@-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
}
