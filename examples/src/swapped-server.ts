import 'reflect-metadata';
import { storedSessionBounds } from '@gemini-mcp/core';
import { serveStdio } from '@gemini-mcp/mcp';
import {
  clientFailureWords,
  composeServer,
  createLog,
  fileAccessOfServer,
  partFactories,
  partNames,
  type ResolvePart,
  readConfiguration,
  type ServerOptions,
  type ServerParts,
  startProcesses,
} from '@gemini-mcp/server';
import sqlite from 'node-sqlite3-wasm';
import { container, type InjectionToken, instanceCachingFactory as once } from 'tsyringe';
import { RestGeminiRunner } from './rest-gemini-runner.ts';
import { SqliteSessionStore } from './sqlite-session-store.ts';

const { env: environment, stdin, stdout, stderr } = process;
const { configuration } = readConfiguration({ environment, currentDirectory: process.cwd() });
const options: ServerOptions = {
  ...{ configuration, environment, api: null, failureWords: clientFailureWords, version: '1.0.0' },
  log: createLog({ level: 'warn', redact: (text) => text, stream: stderr }),
  ...{ furtherRoots: [], privateFiles: [], hasSeveralOwners: false, isOfOneUser: true, agentModeByDefault: 'plan' },
};

// Ours, each under its name.
const tokenOf = <Name extends keyof ServerParts>(name: Name): InjectionToken<ServerParts[Name]> => name;
const part: ResolvePart = (name) => container.resolve(tokenOf(name));
for (const name of partNames) {
  container.register<unknown>(name, { useFactory: once(() => partFactories[name](part, options)) });
}

// Yours in their place: one registration each.
container.register(tokenOf('sessions'), {
  useFactory: once(() => {
    const database = new sqlite.Database(environment['SESSIONS_DATABASE'] ?? 'sessions.db');
    return new SqliteSessionStore({ database, clock: part('clock'), retentionMs: null, bounds: storedSessionBounds });
  }),
});
container.register(tokenOf('runners'), {
  useFactory: once(() => {
    const baseUrl = environment['GOOGLE_GEMINI_BASE_URL'] ?? 'https://generativelanguage.googleapis.com';
    return [new RestGeminiRunner({ baseUrl, apiKey: environment['GEMINI_API_KEY'] ?? '', clock: part('clock') })];
  }),
});

const close = startProcesses(options, part);
const surface = composeServer(options, part).surfaceOf(fileAccessOfServer(configuration));
const server = { version: '1.0.0', clock: part('clock'), log: () => undefined, ownerOf: () => 'me', surface };
const { callsEnded } = await serveStdio({ stdin, stdout, server }, new AbortController().signal);
await Promise.all([callsEnded, close()]);
