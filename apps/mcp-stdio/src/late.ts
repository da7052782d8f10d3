// What a client's handshake does not wait for. A file of its own in the bundle, which is loaded when it is asked for.
export { ModernConnection, makeReady, runCall } from '@gemini-mcp/mcp/internal';
export { runOperatorCommand } from './operable-stdio-program.ts';
export { startServer } from './start-server.ts';
