// What a client's handshake does not wait for. The bundle holds it as text that is compiled when it is asked for.
export { runOperatorCommand } from './run-operator-command.ts';
export { startServer } from './start-server.ts';
