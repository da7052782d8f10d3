import {
  type GeminiFailure,
  type GeminiRunner,
  type InputRefusal,
  plainRunSettings,
  type RunEnd,
  type RunEvent,
  type RunnerCapabilities,
  type RunRequest,
  refuseLacking as refuseUndeclared,
} from '@gemini-mcp/core';
import { describeShortage } from '../processes/system-shortage.ts';
import type { CliRun, CliTransport, CliTransportOptions, Tell } from './cli-transport.ts';
import { EventQueue } from './event-queue.ts';
import { failRun } from './fail-run.ts';
import { GeminiCliFinder } from './finding/gemini-cli-finder.ts';
import type { GeminiCli, GeminiCliLocation } from './finding/locate-gemini-cli.ts';
import { HeadlessTransport } from './headless/headless-transport.ts';
import { weighTexts } from './message/session-history.ts';
import { maxSystemPromptCharacters } from './message/system-prompt.ts';
import { RunLimit } from './run-limit.ts';
import { offersTools } from './settings/model-tools.ts';
import { type AllowedDirectories, chooseWorkDirectory, emptyPlace } from './work-directory.ts';

export type CliGeminiRunnerOptions = CliTransportOptions & {
  /** Real paths of directories at or below which a run with all tools may work; empty if missing. Never resolved again. */
  readonly roots?: readonly string[];
  /**
   * Real paths of directories at or below which such a run works in the directory of the call itself, and so uses the settings, commands,
   * hooks and GEMINI.md in it; empty if missing.
   */
  readonly trustedDirectories?: readonly string[];
  /** Absolute directories in which no run works, such as stores; always includes `runsDirectory`. */
  readonly privateDirectories?: readonly string[];
  /** Called with the CLI's location once found, and again if it later turns up elsewhere. */
  readonly onCliFound?: (cli: GeminiCli) => void;
  /** Shared finder of the CLI; the runner creates its own if missing. */
  readonly finder?: GeminiCliFinder;
};

type SettledRun = Omit<CliRun, 'place'>;

/** Runs the Gemini CLI: checks a request, finds the CLI, and hands both to a transport (headless by default). */
export class CliGeminiRunner implements GeminiRunner {
  readonly capabilities: RunnerCapabilities;
  readonly #options: CliGeminiRunnerOptions;
  readonly #transport: CliTransport;
  readonly #finder: GeminiCliFinder;
  readonly #allowed: AllowedDirectories;

  constructor(options: CliGeminiRunnerOptions);
  /** @internal */
  constructor(options: CliGeminiRunnerOptions, transport: CliTransport);
  constructor(options: CliGeminiRunnerOptions, transport: CliTransport = new HeadlessTransport(options)) {
    this.capabilities = transport.capabilities;
    this.#options = options;
    this.#transport = transport;
    this.#finder = options.finder ?? new GeminiCliFinder(options);
    const { runsDirectory, roots = [], trustedDirectories = [], privateDirectories = [] } = options;
    this.#allowed = { roots, trustedDirectories, privateDirectories: [runsDirectory, ...privateDirectories] };
  }

  /** The returned end waits until all processes and files of the run are gone, even if the consumer stops early. */
  async *run(request: RunRequest, signal: AbortSignal): AsyncGenerator<RunEvent> {
    const limit = new RunLimit({ clock: this.#options.clock, deadlineAtMs: request.deadlineAtMs }, signal);
    const told = new EventQueue<RunEvent>();
    const end = this.#runToEnd(request, (event) => told.push(event), limit).finally(() => told.close());
    // Awaited below; until then Node must not report a bug in it as an unhandled rejection.
    end.catch(() => undefined);
    try {
      for await (const event of told) {
        yield event;
      }
    } finally {
      limit.cancel();
      await end;
    }
    yield await end;
  }

  async #runToEnd(request: RunRequest, tell: Tell, limit: RunLimit): Promise<RunEnd> {
    try {
      const run = await this.#settle(request, tell, limit);
      return 'type' in run ? run : await this.#carry(run, tell, limit);
    } catch (error) {
      const shortage = describeShortage(error);
      if (shortage === null) {
        throw error;
      }
      return failRun({ kind: 'resources-exhausted', detail: shortage });
    } finally {
      await limit.release();
    }
  }

  /** Resolves to the run to carry, or to the end of a request that starts nothing. */
  async #settle(request: RunRequest, tell: Tell, limit: RunLimit): Promise<SettledRun | RunEnd> {
    const { settings = plainRunSettings } = request;
    const refused = refuseForCli(request, this.capabilities) ?? refuseKey(settings.apiKey);
    if (refused !== null) {
      return refused;
    }
    if (settings.apiKey !== null) {
      this.#finder.sawLogin();
    }
    const location = await this.#finder.find((text) => tell({ type: 'status', text }), limit.signal);
    if (location === null) {
      return failRun(limit.failure);
    }
    if (!location.found) {
      return failRun(describeMissing(location));
    }
    return { request, settings, cli: location.cli, programs: this.#finder.programs };
  }

  /** A disallowed directory ends the run, or causes a notice if the run can go on without it. */
  async #carry(run: SettledRun, tell: Tell, limit: RunLimit): Promise<RunEnd> {
    const { directory } = run.request;
    if (directory === undefined) {
      return await this.#transport.carry({ ...run, place: emptyPlace }, tell, limit);
    }
    const place = await chooseWorkDirectory(directory, run.settings.sandbox, this.#allowed);
    if (place.kind !== 'refused') {
      return await this.#transport.carry({ ...run, place }, tell, limit);
    }
    if (!directory.isOptional) {
      return failRun({ kind: 'directory-refused', detail: place.detail });
    }
    tell({ type: 'notice', text: `Gemini could not work in the working directory: ${place.detail}.` });
    return await this.#transport.carry({ ...run, place: emptyPlace }, tell, limit);
  }
}

function describeMissing({
  detail,
  isShortage,
  lacksLogin,
}: Extract<GeminiCliLocation, { found: false }>): GeminiFailure {
  if (lacksLogin) {
    return { kind: 'authentication', problem: 'missing', excerpt: '' };
  }
  return { kind: isShortage ? 'resources-exhausted' : 'cli-missing', detail };
}

/** The end of a request that exceeds the declared capabilities, or that cannot be carried whole; null for any other. */
export function refuseForCli(request: RunRequest, capabilities: RunnerCapabilities): RunEnd | null {
  const failure =
    refuseTools(request) ?? refuseUndeclared(request, capabilities) ?? refuseWeight(request, capabilities);
  return failure && failRun(failure);
}

function refuseTools(request: RunRequest): GeminiFailure | null {
  const { settings = plainRunSettings } = request;
  if (!offersTools(request)) {
    return null;
  }
  // The CLI's own tools ignore the limits of model tools.
  if (settings.tools === 'everything') {
    return { kind: 'unsupported', feature: 'tools' };
  }
  // A container cannot reach the endpoint.
  return settings.sandbox ? { kind: 'unsupported', feature: 'sandbox' } : null;
}

/** No single message is too heavy on its own; after a long conversation the weight of its characters counts as well. */
function refuseWeight({ input, history = [], settings }: RunRequest, limits: RunnerCapabilities): GeminiFailure | null {
  const weight = history.length === 0 ? 0 : weighTexts([...history.map(({ text }) => text), input]);
  const refusals: readonly InputRefusal[] = [
    { measure: 'characters', actual: weight, limit: limits.maxInputCharacters },
    { measure: 'characters', actual: settings?.systemPrompt?.length ?? 0, limit: maxSystemPromptCharacters },
  ];
  const refusal = refusals.find(({ actual, limit }) => actual > limit);
  return refusal === undefined ? null : { kind: 'context-too-large', refusal, excerpt: '' };
}

/**
 * The end of a run whose key does not fit into a header; null for any other. With an empty key the CLI would use one that the user has
 * stored.
 */
function refuseKey(apiKey: string | null): RunEnd | null {
  const isPlain = apiKey === null || /^[\x21-\x7e]+$/.test(apiKey);
  const excerpt = 'the API key is empty or has characters that are not allowed in a key';
  return isPlain ? null : failRun({ kind: 'crashed', detail: 'was not started', excerpt });
}
