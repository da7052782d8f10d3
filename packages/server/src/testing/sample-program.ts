import type { OperableProgram } from '../program/operable-program.ts';
import { ConfigurationError } from '../settings/configuration-error.ts';
import { readConfiguration } from '../settings/read-configuration.ts';
import { settingReader } from '../settings/read-setting.ts';
import { settingList } from '../settings/server-settings.ts';
import type { Setting } from '../settings/setting.ts';
import * as schemas from '../settings/setting-schemas.ts';

/** A setting that only this program has. */
const doorSetting: Setting<number> = {
  variable: 'GEMINI_MCP_DOOR',
  flag: 'door',
  group: 'The house',
  placeholder: '<number>',
  separator: null,
  description: 'The door to open, from 1 to 9.',
  shownDefault: '`1`',
  schema: () => schemas.wholeNumber(1, 9),
};

/** A secret of this program, which nobody is to give as an argument. */
const knockSetting: Setting<string> = {
  ...doorSetting,
  variable: 'GEMINI_MCP_KNOCK',
  flag: null,
  description: 'How to knock.',
  shownDefault: 'none',
  schema: schemas.text,
};

/** A program like the binaries: the shared settings, and two of its own. */
export const sampleProgram: OperableProgram = {
  name: 'sample-server',
  settings: [doorSetting, knockSetting, ...settingList],
  otherVariables: ['GEMINI_MCP_WINDOW'],
  clients: ['claude-code', 'codex'],
  nodeAdvice: 'start the sample with it.',
  intro: 'sample-server is a sample.\n\nsample-server [flags]',
  readSettings: (sources) => {
    const door = settingReader(sources)(doorSetting, 1);
    return {
      ...readConfiguration(sources),
      examine: async () => [{ name: 'Door', status: door === 9 ? 'fail' : 'ok', found: `number ${door}`, fix: null }],
    };
  },
  printConfig: (client, { flags, programPath }) => {
    if (flags?.get('door') === '9') {
      throw new ConfigurationError('--door: 9 is locked');
    }
    return { text: `${client}: ${programPath} ${[...(flags ?? [])].join(' ')}\n`, place: 'Put it anywhere.' };
  },
};
