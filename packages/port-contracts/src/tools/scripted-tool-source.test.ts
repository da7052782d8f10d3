import { createScriptedToolHarness } from './scripted-tool-harness.ts';
import { describeToolSourceContract } from './tool-source.contract.ts';

describeToolSourceContract({ name: 'ScriptedToolSource', create: async () => createScriptedToolHarness() });
