import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

// A client of the SDK alone for each of these programs, as its examples have it: each lists the tools of its server and calls one. Prints a line
// when all have, and lives until it is killed.
type Entry = { readonly command: string; readonly args: readonly string[] };

const entries: readonly Entry[] = JSON.parse(process.argv[2] ?? '[]');
const clients: Client[] = [];

for (const { command, args } of entries) {
  const client = new Client({ name: 'bare', version: '1.0.0' });
  // Untyped, because the SDK's transports do not fit the SDK's interface where optional properties are taken exactly.
  await Reflect.apply(client.connect, client, [new StdioClientTransport({ command, args: [...args] })]);
  await client.listTools();
  await client.callTool({ name: 'tool_0', arguments: { text: 'x' } });
  clients.push(client);
}
process.stdout.write(`${clients.length} are connected\n`);
