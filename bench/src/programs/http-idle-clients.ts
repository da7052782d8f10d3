import { type HttpTarget, McpWireClient } from '../http/mcp-wire-client.ts';

// Clients that have begun a session and listen. Says `ready` when all of them do, and lives until its stdin ends.
const { target, clients }: { readonly target: HttpTarget; readonly clients: number } = JSON.parse(
  process.argv[2] ?? '',
);
const opened: McpWireClient[] = [];
while (opened.length < clients) {
  const client = await McpWireClient.open(target);
  await client.listen();
  opened.push(client);
}
process.stdin.once('end', () => process.exit()).resume();
process.stdout.write('ready\n');
