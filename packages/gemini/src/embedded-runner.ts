import { join } from 'node:path';
import { type CliGeminiRunnerOptions, GeminiCliFinder, RunSweeper, SystemClock } from '@gemini-mcp/adapters-node';
import { findRealPath, releaseRecorded } from '@gemini-mcp/adapters-node/internal';
import {
  ChoosingGeminiRunner,
  type Clock,
  type GeminiFailure,
  type GeminiRunner,
  plainRunSettings,
  type RunEvent,
  type RunNeeds,
  type RunnerCapabilities,
  type RunnerPreference,
  type RunRequest,
  type TokenCount,
} from '@gemini-mcp/core';
import { closeBeforeExit } from './close-before-exit.ts';
import type { GeminiPlace } from './find-place.ts';
import { LazyLoopbackToolServer } from './lazy-loopback-tool-server.ts';
import { type ClosableRunner, createRunners } from './runners/create-runners.ts';
import { type ApiAccess, findApiAccess } from './runners/find-api-access.ts';

export type EmbeddedRunnerOptions = {
  readonly place: GeminiPlace;
  readonly preference: RunnerPreference;
  /** Defaults to the machine's. */
  readonly clock: Clock | undefined;
  /** For requests without their own key; null for the login of the environment or the CLI. */
  readonly apiKey: string | null;
  readonly allowsGoogleLogs: boolean | undefined;
};

/**
 * Runners that do not keep a program alive: no process, connection or timer delays its exit between calls. The first run removes
 * the remains of killed programs.
 */
export class EmbeddedRunner implements GeminiRunner {
  readonly capabilities: RunnerCapabilities;
  readonly #runner: ChoosingGeminiRunner;
  readonly #runners: readonly ClosableRunner[];
  readonly #loopbackToolServer: LazyLoopbackToolServer;
  readonly #sweeper: RunSweeper;
  readonly #apiKey: string | null;
  readonly #fromKeychain: GeminiPlace['fromKeychain'];
  #hasRun = false;
  #forget: () => void = () => undefined;

  constructor({
    place,
    preference,
    clock = new SystemClock(),
    apiKey,
    allowsGoogleLogs = false,
  }: EmbeddedRunnerOptions) {
    this.#apiKey = apiKey;
    this.#fromKeychain = place.fromKeychain;
    // The capabilities are those of a key, which each call reads from the keychain.
    const access = apiAccess(place, preference, this.#fromKeychain === null ? apiKey : '');
    this.#loopbackToolServer = new LazyLoopbackToolServer(clock);
    const cli = { ...cliOptions(place, clock, access), loopbackToolServer: this.#loopbackToolServer, allowsGoogleLogs };
    const processClock = clock instanceof SystemClock ? new SystemClock({ keepsAlive: false }) : clock;
    this.#runners = createRunners({ preference, api: access, cli, warm: { processClock } });
    this.#runner = new ChoosingGeminiRunner({ clock, runners: this.#runners, preference });
    this.capabilities = this.#runner.capabilities;
    this.#sweeper = new RunSweeper({ ...cli, release: releaseRecorded });
  }

  capabilitiesFor(needs: RunNeeds): RunnerCapabilities {
    return this.#runner.capabilitiesFor(needs);
  }

  run(request: RunRequest, signal: AbortSignal): AsyncIterable<RunEvent> {
    if (!this.#hasRun) {
      this.#hasRun = true;
      this.#forget = closeBeforeExit(this);
      void this.#sweeper.sweep();
    }
    const ready = this.#withKey(request);
    return ready instanceof Promise ? this.#runWhenReady(ready, signal) : this.#runner.run(ready, signal);
  }

  async *#runWhenReady(ready: Promise<RunRequest | GeminiFailure>, signal: AbortSignal): AsyncIterable<RunEvent> {
    const request = await ready;
    if ('kind' in request) {
      yield { type: 'failure', failure: request };
    } else {
      yield* this.#runner.run(request, signal);
    }
  }

  async countTokens(request: RunRequest, signal: AbortSignal): Promise<TokenCount> {
    const ready = await this.#withKey(request);
    return 'kind' in ready ? { ok: false, failure: ready } : await this.#runner.countTokens(ready, signal);
  }

  #withKey(request: RunRequest): RunRequest | Promise<RunRequest | GeminiFailure> {
    const apiKey = request.settings?.apiKey ?? this.#apiKey;
    return apiKey !== null || this.#fromKeychain === null
      ? withKey(request, apiKey)
      : this.#fromKeychain().then((read) =>
          read.type === 'found'
            ? withKey(request, read.key)
            : { kind: 'authentication', problem: 'missing', excerpt: read.type === 'unreadable' ? read.problem : '' },
        );
  }

  /** Ends all processes and connections. Resolves when all have ended. */
  async close(): Promise<void> {
    this.#forget();
    await Promise.all([this.#loopbackToolServer.close(), ...this.#runners.map((runner) => runner.close?.())]);
  }
}

function withKey(request: RunRequest, apiKey: string | null): RunRequest {
  const { settings = plainRunSettings } = request;
  return { ...request, settings: { ...settings, apiKey } };
}

/** Throws if the variables of the environment forbid the only backend. */
function apiAccess(
  { environment, home }: GeminiPlace,
  preference: RunnerPreference,
  apiKey: string | null,
): ApiAccess | null {
  const onFault = (fault: string): void => {
    if (preference === 'api') {
      throw new Error(fault);
    }
    process.emitWarning(`The Gemini API is not asked. ${fault}`);
  };
  const access = findApiAccess({ preference, userDirectory: join(home, '.gemini'), environment, onFault });
  return access !== null && apiKey !== null ? { ...access, login: { type: 'gemini-key', apiKey } } : access;
}

function cliOptions(place: GeminiPlace, clock: Clock, access: ApiAccess | null): CliGeminiRunnerOptions {
  const { environment, home, stateDirectory, workingDirectory, roots, noRootBecause } = place;
  const runsDirectory = join(stateDirectory, 'runs');
  const userDirectory = join(home, '.gemini');
  const all = [workingDirectory, ...roots];
  // Programs of a project are never run, even if its files may not be read.
  const finding = { environment, runsDirectory, userDirectory, roots: all, mayFetch: access?.login == null };
  return {
    clock,
    environment,
    runsDirectory,
    finder: new GeminiCliFinder(finding),
    userDirectory,
    roots: noRootBecause === null ? all.map(findRealPath) : [],
    privateDirectories: [stateDirectory],
  };
}
