import { createScriptedToolHarness } from './scripted-tool-harness.ts';
import { describeToolProviderContract } from './tool-provider.contract.ts';

describeToolProviderContract({ name: 'ScriptedToolProvider', create: async () => createScriptedToolHarness() });
