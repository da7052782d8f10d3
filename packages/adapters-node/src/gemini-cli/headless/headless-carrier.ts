import type { Lending, RunEnd, RunnerCapabilities, RunRequest } from '@gemini-mcp/core';
import type { Carrier, CarrierOptions, CliRun, Tell } from '../carrier.ts';
import { cliMaxInputBytes, cliMaxInputCharacters } from '../cli-limits.ts';
import { failRun, failRunFor } from '../fail-run.ts';
import { withLending } from '../lending/open-lending.ts';
import { frameLength } from '../message/literal-channel.ts';
import { cliMediaTypes, maxMediaBytes } from '../message/media-files.ts';
import { createRunDirectory, type RunDirectory } from '../run-directory/run-directory.ts';
import type { RunLimit } from '../run-limit.ts';
import { type LentCliRun, prepareHeadlessRun } from './prepare-headless-run.ts';
import { refuseSandbox } from './refuse-sandbox.ts';
import { type HeadlessRunOptions, type HeadlessRunResult, runHeadless } from './run-headless.ts';

const capabilities: RunnerCapabilities = {
  name: 'headless',
  maxInputBytes: cliMaxInputBytes - frameLength,
  maxInputCharacters: cliMaxInputCharacters - frameLength,
  resume: true,
  tools: ['none', 'web-search', 'everything'],
  sandbox: true,
  systemPrompt: true,
  mediaTypes: cliMediaTypes,
  maxMediaBytes,
  warmStart: false,
  streaming: true,
  usage: true,
  keyOfCall: true,
  way: { by: 'Gemini CLI' },
};

/** Starts a process of the CLI for each request, in a private directory that goes with it. */
export class HeadlessCarrier implements Carrier {
  readonly capabilities: RunnerCapabilities;
  readonly #options: CarrierOptions;

  constructor(options: CarrierOptions) {
    this.#options = options;
    this.capabilities = { ...capabilities, lendsTools: options.toolEndpoint !== undefined };
  }

  async carry(run: CliRun, tell: Tell, limit: RunLimit): Promise<RunEnd> {
    const { runsDirectory, userDirectory } = this.#options;
    const refused = await refuseSandbox(run, runsDirectory);
    if (refused !== null) {
      return refused;
    }
    const loginDirectory = run.settings.apiKey === null ? userDirectory : null;
    let directory: RunDirectory;
    try {
      directory = await createRunDirectory({ runsDirectory, loginDirectory });
    } catch (error) {
      return failRunFor(error);
    }
    const carry = (lending: Lending | null) => this.#carryIn(directory, { ...run, lending }, tell, limit);
    try {
      return await withLending({ ...this.#options, run, tell, carry }, limit);
    } finally {
      await directory.remove();
    }
  }

  async #carryIn(directory: RunDirectory, run: LentCliRun, tell: Tell, limit: RunLimit): Promise<RunEnd> {
    let prepared: HeadlessRunOptions;
    try {
      prepared = await prepareHeadlessRun({ ...this.#options, run, directory });
    } catch (error) {
      return failRunFor(error);
    }
    return await this.#runReported(prepared, run.request, tell, limit);
  }

  async #runReported(
    prepared: HeadlessRunOptions,
    { model, input }: RunRequest,
    tell: Tell,
    limit: RunLimit,
  ): Promise<RunEnd> {
    const { clock, onRun = () => undefined } = this.#options;
    const { command, cwd, environment, directory } = prepared;
    const { runId } = directory;
    const startedAtMs = clock.now();
    onRun({ type: 'started', runId, model, command, directory: cwd, environment, input });
    // What is reported of a run that could not be begun.
    let result: HeadlessRunResult = { end: failRun({ kind: 'cancelled' }), outcome: null };
    const tellReported: Tell = (event) => {
      if (event.type === 'text') {
        onRun({ type: 'text', runId, text: event.text });
      }
      tell(event);
    };
    try {
      result = await runHeadless(prepared, tellReported, limit);
      return result.end;
    } finally {
      onRun({ type: 'ended', runId, model, durationMs: clock.now() - startedAtMs, ...result });
    }
  }
}
