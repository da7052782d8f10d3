import { createRedactor, secretValues } from '@gemini-mcp/adapters-node/startup';
import type { Configuration } from '../settings/configuration.ts';
import { ConfigurationError } from '../settings/configuration-error.ts';
import type { Environment } from '../settings/environment.ts';
import { type ConfigurationSources, readConfiguration } from '../settings/read-configuration.ts';
import { settingList } from '../settings/server-settings.ts';
import type { Check } from './check.ts';
import { diagnose } from './diagnose.ts';
import { checksAsJson, formatChecks, passes } from './format-checks.ts';
import { systemProbes } from './system-probes.ts';

export type DoctorOptions = {
  readonly sources: ConfigurationSources;
  readonly version: string;
  readonly json: boolean;
  readonly call: boolean;
};

export type DoctorReport = {
  readonly output: string;
  readonly passed: boolean;
};

/** Looks whether this machine has what calls need. Never rejects for what is wrong with it: that is what it reports. */
export async function runDoctor(options: DoctorOptions, signal: AbortSignal): Promise<DoctorReport> {
  const { sources, version, json, call } = options;
  const { configuration, checks: ofSettings } = checkSettings(sources);
  const { cli } = configuration;
  const environment = { ...sources.environment, ...(cli === null ? {} : { GEMINI_MCP_CLI: cli }) };
  const probes = systemProbes({ configuration, environment });
  // A key that was put where it does not belong would be shown as what is wrong there.
  const redact = createRedactor(secretValues(environment));
  const checks = [...ofSettings, ...(await diagnose({ configuration, probes, call }, signal))].map((check) => ({
    ...check,
    found: redact(check.found),
  }));
  const report = { version, checks };
  return { output: json ? checksAsJson(report) : formatChecks(report), passed: passes(checks) };
}

type SettingsChecked = {
  readonly configuration: Configuration;
  readonly checks: readonly Check[];
};

/** Wrong settings do not keep the rest from being looked at: then it is looked at as if nothing had been set. */
function checkSettings(sources: ConfigurationSources): SettingsChecked {
  const name = 'Settings';
  try {
    const { configuration, warnings } = readConfiguration(sources);
    const checks = warnings.map(
      ({ variable, message }): Check => ({
        name,
        status: 'warn',
        found: `${variable}: ${message}`,
        fix: 'Correct it, or take it away: it has no effect.',
      }),
    );
    return { configuration, checks };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) {
      throw error;
    }
    const { currentDirectory } = sources;
    const { configuration } = readConfiguration({
      environment: withoutSettings(sources.environment),
      currentDirectory,
    });
    const fix = 'Correct it: the server does not start like this. What follows was looked at without any settings.';
    return { configuration, checks: [{ name, status: 'fail', found: error.message, fix }] };
  }
}

function withoutSettings(environment: Environment): Environment {
  const ours = settingList.map(({ variable }) => variable);
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !ours.includes(name)));
}
