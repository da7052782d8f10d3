import type { OperableProgram } from '../command-line/program.ts';
import { readConfiguration } from '../settings/read-configuration.ts';
import { serverSettingList } from '../settings/server-settings.ts';
import { ConfigurationError, readSettings, setting } from '../settings/setting.ts';
import * as types from '../settings/value-types.ts';

/** Settings that only this program has. */
const sampleSettings = {
  door: setting({
    variable: 'GEMINI_MCP_DOOR',
    flag: 'door',
    group: 'The house',
    type: types.wholeNumber('<number>', 1, 9),
    default: 1,
    description: 'The door to open, from 1 to 9.',
  }),
  /** A secret of this program, which must not be given as an argument. */
  knock: setting({
    variable: 'GEMINI_MCP_KNOCK',
    flag: null,
    group: 'The house',
    type: types.text('<knock>'),
    default: null,
    description: 'How to knock.',
  }),
};

/** A program like the binaries: the shared settings, and two of its own. */
export const sampleProgram: OperableProgram = {
  name: 'sample-server',
  settings: [...Object.values(sampleSettings), ...serverSettingList],
  clients: ['claude-code', 'codex'],
  nodeAdvice: 'start the sample with it.',
  ownerOf: null,
  ownerNames: null,
  intro: 'sample-server is a sample.\n\nsample-server [flags]',
  readSettings: (sources) => {
    const { door } = readSettings(sampleSettings, sources);
    return {
      ...readConfiguration(sources),
      examine: async () => [{ name: 'Door', status: door === 9 ? 'fail' : 'ok', found: `number ${door}`, fix: null }],
    };
  },
  findServer: null,
  startReviews: null,
  printConfig: (client, { flags, programPath }) => {
    if (flags?.get('door') === '9') {
      throw new ConfigurationError('--door: 9 is locked');
    }
    return { text: `${client}: ${programPath} ${[...(flags ?? [])].join(' ')}\n`, place: 'Put it anywhere.' };
  },
};
