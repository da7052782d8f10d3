/** For the other packages of this project. Anything here may change in any release: what others may use is the main entry. */
export { GuardedLook } from './executor/commands/protect/guarded-look.ts';
export { findCommandSandbox } from './executor/commands/sandbox/find-sandbox.ts';
export type { ChangeJournal, ExpectedState, JournalEntry, PathState } from './executor/journal/place-state.ts';
export { isWithin } from './files/path-containment.ts';
export { findRealPath } from './files/pin-paths.ts';
export { carriedVariables } from './gemini-cli/environment/child-environment.ts';
export { detectAuthType } from './gemini-cli/environment/cli-login.ts';
export { addUserEnvironment } from './gemini-cli/environment/user-environment.ts';
export { EventQueue } from './gemini-cli/event-queue.ts';
export type { AuthType } from './gemini-cli/settings/cli-settings.ts';
export { ContainedServerProcesses, type ContainedServerProcessesOptions } from './hub/contained-server-processes.ts';
export { type EditedTextFile, type EditTextFileOptions, editTextFile } from './hub/edit-text-file.ts';
export { KeychainSealer, type KeychainSealerOptions } from './hub/keychain-sealer.ts';
export { type OpenBrowserOptions, openBrowser } from './hub/open-browser.ts';
export {
  readSecretFile,
  type SecretFileRead,
  type SettingsText,
  SettingsTextFile,
  type SettingsWriter,
} from './hub/settings-text.ts';
export { ensurePrivateDirectory } from './process/private-directory.ts';
export { describeShortage } from './process/system-shortage.ts';
export { findSystemProgram } from './programs/find-system-program.ts';
export { describePathFault } from './programs/path-fault.ts';
export { ProgramPath } from './programs/program-path.ts';
