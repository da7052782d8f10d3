import { secretValues } from '@gemini-mcp/adapters-node/internal/startup';
import { createRedactor, escapeName } from '@gemini-mcp/core/internal';
import { findLogin, LoginStore, proxiesOf } from '@gemini-mcp/gemini/internal';
import type { Invocation, OperableProgram, SettingsRead } from '../command-line/program.ts';
import { ConfigurationError, type SettingsEnvironment } from '../settings/setting.ts';
import { type Check, checksAsJson, fault, formatChecks, passes, warning } from './check.ts';
import { checkProgramFiles } from './check-program-files.ts';
import { checkProxy } from './check-proxy.ts';
import { diagnose } from './diagnose.ts';
import { systemProbes } from './system-probes.ts';

type DoctorOptions = {
  readonly program: OperableProgram;
  readonly sources: Omit<Invocation, 'nodePath'>;
  readonly version: string;
  readonly json: boolean;
  readonly call: boolean;
};

type DoctorReport = {
  readonly output: string;
  readonly passed: boolean;
};

/** Checks that this machine has everything calls need. Never rejects: problems are part of the report. */
export async function runDoctor(options: DoctorOptions, signal: AbortSignal): Promise<DoctorReport> {
  const { program, version, json, call } = options;
  const { settings, checks: ofSettings } = checkSettings(options);
  const { configuration, examine } = settings;
  const { cli } = configuration;
  const store = new LoginStore(options.sources.environment);
  const { environment: variables, ...login } = await findLogin(options.sources.environment, store);
  const environment = { ...variables, ...(cli === null ? {} : { GEMINI_MCP_CLI: cli }) };
  const isOfOneUser = program.ownerOf === null;
  const probes = await systemProbes({ configuration, environment, isOfOneUser, login: { ...login, path: store.path } });
  const found = [
    ...ofSettings,
    ...(await checkProgramFiles(options.sources.programPath)),
    ...checkProxy(proxiesOf(environment)),
    ...((await examine?.(signal)) ?? []),
    ...(await diagnose({ program, configuration, probes, call }, signal)),
  ];
  // An error message quotes the wrong value, which could be a misplaced key.
  const redact = createRedactor(secretValues(environment));
  const checks = found.map((check) => ({ ...check, found: escapeName(redact(check.found)) }));
  const report = { name: program.name, version, checks };
  return { output: json ? checksAsJson(report) : formatChecks(report), passed: passes(checks) };
}

type SettingsChecked = {
  readonly settings: SettingsRead;
  readonly checks: readonly Check[];
};

/** After invalid settings the other checks still run with the defaults. */
function checkSettings({ program, sources }: Pick<DoctorOptions, 'program' | 'sources'>): SettingsChecked {
  const name = 'Settings';
  try {
    const settings = program.readSettings(sources);
    const checks = settings.warnings.map(({ variable, message }) =>
      warning(name, `${variable}: ${message}`, 'Correct or remove it: it has no effect.'),
    );
    return { settings, checks };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) {
      throw error;
    }
    const { environment, currentDirectory } = sources;
    const settings = program.readSettings({ environment: withoutSettings(environment, program), currentDirectory });
    const fix = 'Correct it: until then the server does not start. The following checks ran with the default settings.';
    return { settings, checks: [fault(name, error.message, fix)] };
  }
}

function withoutSettings(environment: SettingsEnvironment, { settings }: OperableProgram): SettingsEnvironment {
  const ours = settings.map(({ variable }) => variable);
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !ours.includes(name)));
}
